# What `up` and `down` share; sourced by both. An engine is a file beside this one that defines
#   install             fetches it into the cache, silently if it is already there
#   start               starts it in the background by `launch`, after writing its environment by `export_line`
#   is_up               whether it answers
ENGINES="stripe-mock minio redis redis-cluster kafka clickhouse postgres nginx"

native=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Binaries, by name and version.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/placard-engines
# Pids, ports and data of what runs for this checkout.
state=${XDG_STATE_HOME:-$HOME/.local/state}/placard-engines/$(printf %s "$native" | cksum | cut -d' ' -f1)

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# Builds a Go program, once a version: go_install NAME MODULE VERSION. It is then at $cache/NAME@VERSION/NAME.
go_install() {
  local folder=$cache/$1@$3
  [ -x "$folder/$1" ] && return
  command -v go >/dev/null || fail "Go is missing: install Go 1.24 or newer (https://go.dev/dl) so that $1 can be built."
  say "building $1 $3, which can take some minutes the first time"
  mkdir -p "$folder"
  GOBIN=$folder go install "$2@$3" >&2 || fail "$1 $3 could not be built."
}

# Installs a Debian package: apt_install PACKAGE SENTENCE. If that fails, the sentence names what is missing.
apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "$2"
  say "installing $1"
  apt-get install --yes --quiet --no-install-recommends "$1" >&2 ||
    { apt-get update --quiet >&2 && apt-get install --yes --quiet --no-install-recommends "$1" >&2; } ||
    fail "$1 could not be installed. $2"
}

# A port of the loopback that nobody listens on now.
free_port() {
  node -e 'const s=require("node:net").createServer();s.listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

# Adds a variable to what `up` prints for the engine.
export_line() { printf "export %s='%s'\n" "$1" "$2" >>"$state/$engine.env"; }

# Whether an address answers, with any status.
answers() { curl --silent --output /dev/null --max-time 2 "$@"; }

# When a process began; with its pid that tells it from any later one. Fails when it does not run, or has ended (Z) and
# only nobody has taken note of that.
began() { ps -o stat=,lstart= -p "$1" 2>/dev/null | sed -n 's/^ *[^Z ][^ ]* *//p' | grep .; }

# Starts a program in the background and puts it on record.
launch() {
  nohup "$@" </dev/null >"$state/$engine.log" 2>&1 &
  printf '%s\n%s\n' $! "$(began $!)" >"$state/$engine.pid"
}

# Prints the pid of the engine as `up` has started it; fails when that process is gone.
running_pid() {
  local pid since
  { read -r pid && read -r since; } 2>/dev/null <"$state/$engine.pid" || return 1
  [ "$(began "$pid" | xargs)" = "$(echo "$since" | xargs)" ] && echo "$pid"
}
