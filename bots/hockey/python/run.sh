#!/usr/bin/env bash
# Starts the bot: over standard input and output if the host says so, otherwise over TCP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if [[ "${QUINTAIN_LINK:-}" == stdio ]]; then
    set -- --stdio "$@"
fi
exec python3 bot.py "$@"
