#!/usr/bin/env bash
# Builds the bot, then starts it in place of this shell: over standard input and output if the host
# says so, otherwise over TCP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if [[ "${QUINTAIN_LINK:-}" == stdio ]]; then
    set -- --stdio "$@"
fi
exec cargo run --quiet --release -- "$@"
