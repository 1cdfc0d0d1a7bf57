#!/usr/bin/env bash
# Throws towards its goal, and where that is refused one way after the other.
# The word QUINTAIN_LINK says that it can talk here.
ways=("north west" north "north east" east west "south east" "south west" south)
while IFS= read -r line; do
    line=${line%$'\r'}
    case $line in
    "What's your name?" | "Name taken"*) printf '%s\r\n' "$QUINTAIN_NAME$((tries++))" ;;
    "your goal is south"*) ways=("south west" "south east" south east west "north east" "north west" north) ;;
    *" is active player - "*) next=0; printf '%s\r\n' "${ways[next++]}" ;;
    "invalid move - "*) printf '%s\r\n' "${ways[next++]}" ;;
    esac
done
