coproc BOT { exec "$@"; }
# A process in the background does not have the pipes under their own numbers.
exec 3<&"${BOT[0]}" 4>&"${BOT[1]}"
while IFS= read -r line; do printf '%s\n' "$line"; done <&3 &
while IFS= read -r line; do printf '%s\n' "$line" >&4; done
