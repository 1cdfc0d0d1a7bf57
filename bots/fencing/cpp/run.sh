#!/usr/bin/env bash
# Starts the bot in place of this shell; it talks over standard input and output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# The first answer is due after a second, and a compiler can need longer than that. So this is only
# the way out for those who forgot; what it says on stderr is shown if the match is lost by it.
if [[ ! bot -nt bot.cpp ]]; then
    echo "compiling while the clock runs; \`bash build.sh\` before a match avoids that" >&2
    bash build.sh >&2
fi
exec ./bot
