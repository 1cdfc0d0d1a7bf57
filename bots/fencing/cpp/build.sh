#!/usr/bin/env bash
# Compiles the bot. Call it after each change and before a match.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# Compiled under a name of its own and then renamed at one stroke: two of these can run at the same
# time, and a match that is being played keeps the program it was started with.
fresh="bot.$$"
trap 'rm -f "$fresh"' EXIT
"${CXX:-g++}" -std=c++17 -O2 -Wall -Wextra -o "$fresh" bot.cpp
mv -f "$fresh" bot
