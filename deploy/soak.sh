#!/bin/sh
# Lets a server of games with PostgreSQL and three workers play one tournament after the other, watches what each
# process takes of memory, and compares every game with the same tournament on this machine alone:
#
#   deploy/soak.sh            an hour
#   deploy/soak.sh 10         ten minutes
#   deploy/soak.sh 10 rough   the same while workers and the server are killed and started again
#
# QUINTAIN is the program (`quintain`), GAMES the games of each pairing (400), STORE the address of an empty database;
# without one a PostgreSQL server is started in a folder of its own. It ends with 1 if a game came out otherwise, if a
# job is left over, or if a worker or the server ended by itself. `sqlite3` is needed.
set -eu

minutes=${1:-60}
rough=${2:-}
quintain=${QUINTAIN:-quintain}
games=${GAMES:-400}
port=${PORT:-18080}
workers="worker-1 worker-2 worker-3"
folder=$(mktemp -d)

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*"; }
fail() { say "$*; what was written is in $folder"; trap stop_all EXIT; exit 1; }

stop_all() {
    for name in $workers serve; do
        [ ! -e "$folder/$name.pid" ] || kill "$(cat "$folder/$name.pid")" 2>/dev/null || true
    done
    if [ -e "$folder/data/postmaster.pid" ]; then
        kill -INT "$(head -n 1 "$folder/data/postmaster.pid")" && sleep 2
    fi
}
finish() { stop_all; rm -rf "$folder"; }
trap finish EXIT
trap 'exit 130' INT TERM

# PostgreSQL refuses to be root.
as_postgres() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }

start_postgres() {
    PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    cd "$folder"
    as_postgres initdb --pgdata="$folder/data" --username=quintain --auth=trust --encoding=UTF8 > "$folder/initdb.log"
    as_postgres postgres -D "$folder/data" -p "$((port + 1))" -h 127.0.0.1 -k "$folder" > "$folder/postgres.log" 2>&1 &
    until pg_isready --quiet --host=127.0.0.1 --port="$((port + 1))"; do sleep 0.2; done
    createdb --host=127.0.0.1 --port="$((port + 1))" --username=quintain arena
    STORE="postgres://quintain@127.0.0.1:$((port + 1))/arena"
}

start() {
    name=$1; shift
    "$quintain" "$@" 2>> "$folder/$name.log" > /dev/null &
    echo $! > "$folder/$name.pid"
}
start_one() {
    case $1 in
        serve) start serve serve --workers --store "$STORE" --blobs "$folder/blobs" --lease 10s \
            --listen "127.0.0.1:$port" --log json --log-level warn ;;
        *) start "$1" worker --server "http://127.0.0.1:$port" --token-file "$folder/$1.token" \
            --cache "$folder/cache-$1" --slots 1 --quiet ;;
    esac
}
is_alive() { kill -0 "$(cat "$folder/$1.pid")" 2>/dev/null; }

# What a process has in memory, in MB. Of PostgreSQL it is the sum of what its processes do not share.
memory_of() { awk '/^Rss(Anon|File)/ { sum += $2 } END { printf "%.1f", sum / 1024 }' "/proc/$1/status"; }
memory_of_postgres() {
    [ -e "$folder/data/postmaster.pid" ] || { printf '-'; return; }
    main=$(head -n 1 "$folder/data/postmaster.pid")
    # Those that have ended by now count nothing.
    for process in $main $(pgrep -P "$main"); do
        cat "/proc/$process/status" 2>/dev/null || true
    done | awk '/^RssAnon/ { sum += $2 } END { printf "%.1f", sum / 1024 }'
}
sample() {
    for name in serve $workers; do
        printf '%s %s MB, ' "$name" "$(memory_of "$(cat "$folder/$name.pid")")"
    done
    printf 'postgres %s MB, database %s MB\n' "$(memory_of_postgres)" "$(database_size)"
}
database_size() {
    psql "$STORE" --no-psqlrc --tuples-only --no-align \
        --command="SELECT pg_database_size(current_database()) / 1000000"
}

tournament() {
    store=$1; shift
    "$quintain" tournament --game fencing --bot a=house:greedy --bot b=house:random --bot c=house:search-1k \
        --games-per-pair "$games" --store "$store" --quiet --output json "$@"
}
# Every game with its seed and its end, without what differs from machine to machine.
games_of() {
    sqlite3 "$1" "SELECT round, pairing, seed_index, swapped, seed, first_bot, second_bot, first_verdict,
        second_verdict, first_score, second_score, reason, turns, content FROM games ORDER BY 1, 2, 3, 4"
}

# One that is started again must be heard of before the next one falls.
strike() {
    victim=$(shuf -n 1 -e serve $workers)
    kill -9 "$(cat "$folder/$victim.pid")"
    sleep 1
    start_one "$victim"
    say "$victim was killed and started again"
}

[ -n "${STORE:-}" ] || start_postgres
cd "$folder"
for name in $workers ann; do
    kind=; [ "$name" != ann ] || kind=--organiser
    # shellcheck disable=SC2086 # no word if there is nothing to say
    "$quintain" token add "$name" $kind --store "$STORE" > "$folder/$name.token" 2>> "$folder/tokens.log"
done
start_one serve
until curl --silent --fail "http://127.0.0.1:$port/ready" > /dev/null; do sleep 0.2; done
for name in $workers; do start_one "$name"; done

tournament here.db > here.json
games_of here.db > here.games
say "$(wc -l < here.games) games were played on this machine alone; now by workers, for $minutes min"
end=$(($(date +%s) + 60 * minutes))
number=0
while [ "$(date +%s)" -lt "$end" ]; do
    number=$((number + 1))
    tournament there.db --on "http://127.0.0.1:$port" --token-file ann.token > there.json 2> there.log &
    playing=$!
    while kill -0 "$playing" 2>/dev/null; do
        sleep 2
        [ -z "$rough" ] || [ "$(shuf -i 1-10 -n 1)" != 1 ] || strike
    done
    wait "$playing" || fail "tournament $number failed: $(tail -n 3 there.log)"
    games_of there.db > there.games
    cmp --silent here.games there.games || fail "tournament $number came out otherwise: here.games, there.games"
    for name in serve $workers; do is_alive "$name" || fail "$name ended: $(tail -n 3 "$folder/$name.log")"; done
    say "tournament $number: $(sample)"
    rm -rf there.db* there.replays
done
"$quintain" token list --store "$STORE"
left=$(curl --silent "http://127.0.0.1:$port/metrics" | awk '/^quintain_jobs/ { sum += $2 } END { print sum }')
[ "$left" = 0 ] || fail "expected no job that is queued, leased or failed, found $left"
say "$number tournaments of $(wc -l < here.games) games each came out as on one machine, and no job is left"
