//! Calls to begin with, for the help of each command. Every option that the book does not show stands in one
//! of them, and every one of them can be parsed: tests hold both.

pub(crate) const GAMES: &str = "\
Examples:
  quintain games
  quintain games worms
  quintain games worms --json";

pub(crate) const PLAY: &str = "\
Examples:
  quintain play hockey ./mybot house:greedy
  quintain play fencing ./old ./new --seed 7 --swap --log-dir results
  quintain play fencing ./old ./new --limit 200ms --ask together
  quintain play code-royale \"python3 bot.py\" house:greedy --no-clock
  quintain play hockey human house:greedy --human-clock --time-scale 50
  quintain play worms ./mybot house:greedy --open
  quintain play worms ./mybot house:greedy --serve 127.0.0.1:8080
  quintain play hockey tcp tcp --listen localhost:8023 --start-limit 1m
  quintain play worms ./mybot house:random --keep-rounds 5 --pass-env HOME
  quintain play worms --edition original --game-config game-config.json";

pub(crate) const COMPARE: &str = "\
Examples:
  quintain compare fencing ./old ./new
  quintain compare fencing ./old ./new --sprt 0,5,0.05,0.05 --games 2000
  quintain compare fencing ./old ./new --store games.db --name depth-7
  quintain compare fencing ./old ./new --open
  quintain compare fencing ./old ./new --serve 127.0.0.1:8080
  quintain compare fencing ./old ./new -j 4 --force --ask together --quiet
  quintain compare fencing ./old ./new --league 2 --seed 7 --json
  quintain compare worms ./old ./new --edition original --state stdin
  quintain compare worms ./old ./new --game-config game-config.json
  quintain compare worms ./old ./new --set game.maxRounds=100 --no-replays
  quintain compare hockey ./old ./new --limit 500ms --start-limit 10s
  quintain compare hockey ./old ./new --time-scale 2 --pass-env HOME
  quintain compare hockey ./old ./new --no-clock --games 10
  quintain compare hockey ./old ./new --replays all --sign quintain.key
  quintain compare hockey ./old ./new --concurrency 2 \\
      --store postgres://me@db/games --store-password-file password
  quintain compare hockey ./old ./new --on https://arena.example:8080 \\
      --token-file ann.token --ca school.pem";

pub(crate) const LADDER: &str = "\
Examples:
  quintain ladder fencing
  quintain ladder fencing ./mybot
  quintain ladder fencing ./mybot --store games.db --name depth-7 --quiet
  quintain ladder fencing ./mybot --open
  quintain ladder fencing ./mybot --serve 127.0.0.1:8080
  quintain ladder fencing ./mybot --from greedy --to champion --json
  quintain ladder fencing --svg ladder.svg
  quintain ladder fencing ./mybot --league 2 --seed 7 --games 200
  quintain ladder fencing ./mybot --sprt 0,50,0.05,0.05 -j 2 --force
  quintain ladder fencing ./mybot --concurrency 1 --ask together
  quintain ladder hockey ./mybot --limit 500ms --start-limit 10s --no-replays
  quintain ladder hockey ./mybot --time-scale 2 --pass-env HOME
  quintain ladder hockey ./mybot --no-clock --edition original
  quintain ladder hockey ./mybot --replays all --sign quintain.key
  quintain ladder hockey ./mybot --scale hockey-scale.toml \\
      --store postgres://me@db/games --store-password-file password
  quintain ladder worms ./mybot --state stdin --game-config game-config.json
  quintain ladder worms ./mybot --set game.maxRounds=100
  quintain ladder worms ./mybot --sandbox strict --require-sandbox basic \\
      --memory 1G --cpu 600 --processes 64 --disk 64M --output-limit 16M
  quintain ladder hockey --calibrate --games 400 --time 2m --store scale.db
  quintain ladder hockey ./mybot --on https://arena.example:8080 \\
      --token-file ann.token --ca school.pem";

pub(crate) const TUNE: &str = "\
Examples:
  quintain tune fencing ./mybot --params params.toml
  quintain tune fencing ./mybot --params params.toml --iterations 500 --games 8
  quintain tune fencing ./mybot --params params.toml --svg curves.svg --quiet
  quintain tune fencing ./mybot --params params.toml --history a.jsonl --json
  quintain tune fencing ./mybot --params params.toml --sprt 0,5 \\
      --proof-games 2000 --store games.db --name gain
  quintain tune fencing ./mybot --params params.toml --league 2 --seed 7 -j 2
  quintain tune fencing ./mybot --params params.toml --concurrency 2 --force
  quintain tune hockey ./mybot --params params.toml --limit 500ms --no-clock
  quintain tune hockey ./mybot --params params.toml \\
      --on https://arena.example:8080 --token-file ann.token --ca school.pem
  quintain tune hockey ./mybot --params params.toml --start-limit 10s \\
      --time-scale 2 --ask together --edition original --pass-env HOME
  quintain tune hockey ./mybot --params params.toml --replays all \\
      --sign quintain.key
  quintain tune worms ./mybot --params params.toml --state stdin \\
      --game-config game-config.json --set game.maxRounds=100 --no-replays
  quintain tune worms ./mybot --params params.toml --sandbox strict \\
      --require-sandbox basic --memory 1G --cpu 600 --processes 64 \\
      --disk 64M --output-limit 16M
  quintain tune worms ./mybot --params params.toml \\
      --store postgres://me@db/games --store-password-file password";

pub(crate) const TOURNAMENT: &str = "\
Examples:
  quintain tournament init cup.toml
  quintain tournament cup.toml
  quintain tournament cup.toml --standings --rating glicko --output html
  quintain tournament cup.toml --open
  quintain tournament cup.toml --serve 0.0.0.0:8080
  quintain tournament cup.toml --concurrency 4 --force --quiet
  quintain tournament cup.toml --replays all --sign quintain.key
  quintain tournament cup.toml --no-replays --name again --pass-env HOME
  quintain tournament cup.toml --store postgres://me@db/games \\
      --store-password-file password
  quintain tournament --game fencing --bot a=./a --bot b=./b --bot c=./c \\
      --form gauntlet --challengers 1 --games-per-pair 20 --league 2
  quintain tournament --game fencing --bot a=./a --bot b=./b --bot c=./c \\
      --form swiss --rounds 5 --seed 7 --store cup.db
  quintain tournament --game worms --bot a=./a --bot b=./b --state stdin \\
      --edition original --game-config game-config.json --start-limit 10s
  quintain tournament --game worms --bot a=./a --bot b=./b \\
      --set game.maxRounds=100 --limit 2s --time-scale 2 --ask together
  quintain tournament --game hockey --bot a=./a --bot b=./b --no-clock";

pub(crate) const HOST: &str = "\
Examples:
  quintain host hockey
  quintain host hockey --listen localhost:8023 --tables 4 --games 100
  quintain host hockey --replays replays --gif --sign quintain.key --quiet
  quintain host hockey --gif --size 640 --speed 2x
  quintain host hockey --no-replays --json --limit 2s --time-scale 2
  quintain host hockey --edition original --set limit=500ms
  quintain host hockey --no-clock";

pub(crate) const EVALUATE: &str = "\
Examples:
  quintain evaluate hockey teams --store marks.db
  quintain evaluate hockey teams --store marks.db --standings --output html
  quintain evaluate hockey teams --open
  quintain evaluate hockey teams --serve 127.0.0.1:8080
  quintain evaluate hockey teams --games 1000 --time 2m --weight 4 --quiet
  quintain evaluate hockey teams --give-up 3 --start-limit 30s --json
  quintain evaluate hockey teams --teams-file teams.toml --link stdio
  quintain evaluate hockey teams --listen localhost:8023 --pass-env HOME
  quintain evaluate hockey teams --network none --connections own -j 2
  quintain evaluate hockey teams --concurrency 1
  quintain evaluate hockey teams --replays all --sample 1 --sign quintain.key
  quintain evaluate hockey teams --no-replays --limit 2s --time-scale 2
  quintain evaluate hockey teams --edition original --set limit=500ms
  quintain evaluate hockey teams --no-clock --games 10
  quintain evaluate hockey teams --store postgres://me@db/marks --name june \\
      --store-password-file password";

pub(crate) const REPLAY: &str = "\
Examples:
  quintain replay replays/hockey.replay.jsonl.zst
  quintain replay replays/hockey.replay.jsonl.zst --text
  quintain replay replays/hockey.replay.jsonl.zst --open";

pub(crate) const EXPLAIN: &str = "\
Examples:
  quintain explain match.replay.jsonl.zst
  quintain explain match.replay.jsonl.zst --seat 2 --nodes 1000
  quintain explain match.replay.jsonl.zst --json
  quintain explain match.replay.jsonl.zst --html match.html";

pub(crate) const SCHEMA: &str = "\
Examples:
  quintain schema replay
  quintain schema api > openapi.json
  quintain schema plan > plan.schema.json";

pub(crate) const SERVE: &str = "\
Examples:
  quintain serve
  quintain serve --replays results --listen localhost:0
  quintain serve --store games.db
  quintain serve --store postgres://quintain@localhost/arena --store-password-file pw
  quintain serve --listen 0.0.0.0:8080 --host arena.example --embed https://example.org
  quintain serve --listen 0.0.0.0:8080 --token-file arena.token
  quintain serve --workers --store arena.db --blobs blobs --lease 2m \\
      --scale-time 0.5..2
  quintain serve --workers --store postgres://me@db/arena --store-password-file password
  quintain serve --workers --store arena.db --tls-cert arena.pem --tls-key arena.key
  quintain serve --workers --store arena.db --log json --log-level debug";

pub(crate) const WORKER: &str = "\
Examples:
  quintain worker --server http://arena.example:8080 --token-file lab-1.token
  quintain worker --server http://localhost:8080 --token-file lab-1.token \\
      --slots 2 --cache bots --quiet
  quintain worker --server https://arena.example:8080 --token-file lab-1.token \\
      --ca school.pem --log text --log-level warn
  quintain worker --server http://localhost:8080 --token-file lab-1.token \\
      --sandbox strict --require-sandbox basic --memory 1G --cpu 600 \\
      --processes 64 --disk 64M --output-limit 16M";

pub(crate) const TOKEN: &str = "\
Examples:
  quintain token add lab-1 --store arena.db > lab-1.token
  quintain token add ann --organiser --store arena.db > ann.token
  quintain token revoke lab-1 --store arena.db
  quintain token lift lab-1 --store arena.db
  quintain token list --store postgres://me@db/arena --store-password-file password
  quintain token add lab-2 --store postgres://me@db/arena \\
      --store-password-file password > lab-2.token
  quintain token revoke lab-1 --store postgres://me@db/arena \\
      --store-password-file password
  quintain token lift lab-1 --store postgres://me@db/arena \\
      --store-password-file password";

pub(crate) const PACK: &str = "\
Examples:
  quintain pack ./mybot
  quintain pack ./mybot --output mybot.tar.zst";

pub(crate) const VERIFY: &str = "\
Examples:
  quintain verify replays/*.zst
  quintain verify replays/*.zst --signer quintain.key --json
  quintain verify --store games.db";

pub(crate) const KEY: &str = "\
Examples:
  quintain key new
  quintain key show quintain.key";

pub(crate) const FEED: &str = "\
Examples:
  quintain feed match.replay.jsonl.zst ./mybot --seat 1 --turn 12
  quintain feed match.replay.jsonl.zst ./mybot --seat 2 --all --json
  quintain feed match.replay.jsonl.zst ./mybot --seat 1 --all --state stdin
  quintain feed match.replay.jsonl.zst ./mybot --seat 1 --all --pass-env HOME
  quintain feed match.replay.jsonl.zst tcp --seat 1 --turn 3 \\
      --listen localhost:8023 --start-limit 1m";

pub(crate) const CHECK: &str = "\
Examples:
  quintain check ./mybot hockey
  quintain check \"python3 bot.py\" fencing --league 2 --turns 10 --seat 2
  quintain check ./mybot hockey --seed 7 --replay match.replay.jsonl.zst
  quintain check ./mybot hockey --limit 2s --time-scale 10 --start-limit 1m
  quintain check ./mybot hockey --no-clock --json --pass-env HOME
  quintain check tcp hockey --listen localhost:8023
  quintain check ./mybot worms --state stdin --set game.maxRounds=50
  quintain check ./mybot worms --edition original --game-config config.json";

pub(crate) const STATS: &str = "\
Examples:
  quintain stats --store games.db
  quintain stats --store games.db --bot new --opponent old --verdict loss
  quintain stats --store games.db --run depth-7 --error timeout --rows 20
  quintain stats --store games.db --tag 'depth>=7' --output csv
  quintain stats --store games.db --seed 7 --reason goal --json
  quintain stats --store games.db --bot new --error --list-replays
  quintain stats --store games.db --void
  quintain stats --store games.db --disturbed
  quintain stats --check games.db --replays
  quintain stats --store postgres://me@db/games \\
      --store-password-file password";

pub(crate) const EXPORT: &str = "\
Examples:
  quintain export match.replay.jsonl.zst --gif match.gif --size 640x480
  quintain export match.replay.jsonl.zst --png end.png --svg end.svg
  quintain export match.replay.jsonl.zst --png start.png --turn 0
  quintain export match.replay.jsonl.zst --gif part.gif --turns 10..40 --speed 2x
  quintain export match.replay.jsonl.zst --png dark.png --theme dark --size 1400
  quintain export match.replay.jsonl.zst --html match.html
  quintain export match.replay.jsonl.zst --match-log log";

pub(crate) const CONFORM: &str = "\
Examples:
  quintain conform games/hockey/tests/vectors/*.jsonl.gz";

pub(crate) const BOT: &str = "\
Examples:
  quintain bot hockey greedy --connect localhost:8023 --name Ann --games 10
  quintain bot fencing greedy --league 2 --seed 7
  quintain bot worms random --state stdin";

pub(crate) const PERFT: &str = "\
Examples:
  quintain perft hockey --depth 4
  quintain perft hockey --depth 4 --seed 7 --edition original
  quintain perft fencing --depth 3 --league 2";

pub(crate) const BENCH: &str = "\
Examples:
  quintain bench
  quintain bench --only hockey --json
  quintain bench --only house-
  quintain bench --only replay --vectors vectors
  quintain bench --only store --store postgres://me@db/games
  quintain bench --only work-
  quintain bench --workload hockey-random --count 1000";

pub(crate) const DOCTOR: &str = "\
Examples:
  quintain doctor
  quintain doctor --json";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  quintain completions bash > ~/.bash_completion
  quintain completions zsh > ~/.zfunc/_quintain";

pub(crate) const MAN: &str = "\
Examples:
  quintain man ~/.local/share/man/man1";
