#!/usr/bin/env bash
# Gives its name and leaves when the game begins. QUINTAIN_LINK: it talks here.
read -r question
printf '%s\r\n' "$QUINTAIN_NAME"
read -r welcome
read -r game_is_on
echo "something is missing" >&2
exit 3
