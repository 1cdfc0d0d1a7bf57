#!/usr/bin/env bash
# Walks until it is near and strikes. It tells how often, and gives up once it is worn out.
lunges=0
while read -r position energy score rest && read -r theirs their_energy rest; do
    gap=$((theirs - position))
    if ((gap <= 40 && energy >= 7)); then
        echo LUNGE
        lunges=$((lunges + 1))
        echo "[PDATA] lunges = $lunges" >&2
    elif ((energy >= 10)); then
        echo WALK
    elif ((energy == 3 && score > 4)); then
        echo "worn out" >&2
        exit 3
    else
        echo BREAK
    fi
done
