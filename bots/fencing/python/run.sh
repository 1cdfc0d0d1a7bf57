#!/usr/bin/env bash
# Starts the bot in place of this shell; it talks over standard input and output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
exec python3 bot.py
