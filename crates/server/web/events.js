/** What a server tells a page while somebody looks at it. */

/**
 * Follows events. A page that nobody sees asks for none, and catches up later.
 * @param {string} address
 * @param {Record<string, (data: string) => void>} heard what to do with each kind of event; with `end` it ends
 * @param {(isThere: boolean) => void} tell whether the server is there
 * @returns {() => void} ends it
 */
export function followEvents(address, heard, tell) {
  /** @type {EventSource | null} */
  let source = null;
  let lastSeen = "";
  let isOver = false;
  const stop = () => {
    source?.close();
    source = null;
  };
  const start = () => {
    if (source || isOver || document.hidden) return;
    source = new EventSource(lastSeen ? `${address}?after=${lastSeen}` : address);
    source.addEventListener("open", () => tell(true));
    source.addEventListener("error", () => tell(false));
    for (const [kind, act] of Object.entries(heard)) {
      source.addEventListener(kind, (event) => {
        lastSeen = event.lastEventId;
        if (kind === "end") {
          isOver = true;
          stop();
        }
        act(event.data);
      });
    }
  };
  const look = () => (document.hidden ? stop() : start());
  document.addEventListener("visibilitychange", look);
  start();
  return () => {
    isOver = true;
    stop();
    document.removeEventListener("visibilitychange", look);
  };
}
