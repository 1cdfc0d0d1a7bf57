/**
 * Light and dark: the reader's setting, or the switch of the page.
 * @typedef {"light" | "dark"} Theme
 */

const STORED_AS = "quintain-theme";

/**
 * The inks that scenes name by their meaning, as pictures have them too (`draw/src/shades.rs`).
 * @type {Record<Theme, Record<string, string>>}
 */
export const INKS = {
  light: {
    first: "#1f5fd0", second: "#e25a0c", ground: "#ffffff", field: "#f4f2ec", faint: "#8b93a1", wall: "#3d4757",
    text: "#1a2130", muted: "#586173", accent: "#f2b50c", loss: "#b4153a", tint: "#1a2130",
    sunk: "#eae7df",
  },
  dark: {
    first: "#5a9bff", second: "#ff8a3c", ground: "#181e29", field: "#0f131a", faint: "#6b7688", wall: "#9aa6b8",
    text: "#e9edf4", muted: "#a0abbc", accent: "#ffc93c", loss: "#ff7b93", tint: "#e9edf4",
    sunk: "#0b0e14",
  },
};

/**
 * Letters are thinner than shapes: inks that would be too pale for them.
 * @type {Record<Theme, Record<string, string>>}
 */
export const LETTERS = {
  light: { first: "#1850b4", second: "#ad3f05", accent: "#7a5600", faint: "#586173" },
  dark: { first: "#92beff", second: "#ffb180", accent: "#ffd873", faint: "#a0abbc" },
};

const darkRoom = window.matchMedia("(prefers-color-scheme: dark)");
/** @type {Set<() => void>} */
const watchers = new Set();

/** @returns {Theme} */
export function currentTheme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return darkRoom.matches ? "dark" : "light";
}

/**
 * Calls `watcher` whenever the theme changes.
 * @param {() => void} watcher
 */
export function watchTheme(watcher) {
  watchers.add(watcher);
}

/** @param {string | null | undefined} theme */
export function chooseTheme(theme) {
  if (theme !== "light" && theme !== "dark") return;
  document.documentElement.dataset.theme = theme;
  for (const watcher of watchers) watcher();
}

export function switchTheme() {
  const theme = currentTheme() === "dark" ? "light" : "dark";
  chooseTheme(theme);
  try {
    localStorage.setItem(STORED_AS, theme);
  } catch {
    // Where nothing can be stored, the switch holds for this page.
  }
}

function startTheme() {
  try {
    chooseTheme(localStorage.getItem(STORED_AS));
  } catch {
    // As above.
  }
  darkRoom.addEventListener("change", () => {
    for (const watcher of watchers) watcher();
  });
  document.getElementById("theme")?.addEventListener("click", switchTheme);
}

startTheme();
