# Shared by run and long: numbered steps, and tools installed when missing.
# shellcheck shell=bash

export DEBIAN_FRONTEND=noninteractive
passed=0

# step NAME COMMAND... runs one step in a shell of its own. The first failure
# ends the whole run.
step() {
  local name=$1 began=$SECONDS code
  shift
  printf '\n=== %d. %s\n' $((passed + 1)) "$name"
  set +e
  (set -euo pipefail; "$@") </dev/null
  code=$?
  set -e
  if [ "$code" -ne 0 ]; then
    printf '=== %s: FAILED after %d s, exit code %d\n\n%d passed, 1 failed\n' "$name" $((SECONDS - began)) "$code" "$passed"
    exit 1
  fi
  passed=$((passed + 1))
  printf '=== %s: ok, %d s\n' "$name" $((SECONDS - began))
}

# finish prints the closing line.
finish() {
  printf '\nall steps took %d s\n%d passed, 0 failed\n' "$SECONDS" "$passed"
}

# commands COMMAND:PACKAGE... installs the Debian packages of commands that are
# missing.
commands() {
  local pair missing=()
  for pair; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "please install: ${missing[*]}" >&2
    return 1
  fi
  apt-get -qq update
  apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}

# tool NAME VERSION PACKAGE prints the path of a pinned Go tool, which it builds
# first where it is missing.
tool() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/firedrill-ci/$1@$2
  [ -x "$folder/$1" ] || GOBIN=$folder go install "$3@$2" >&2
  echo "$folder/$1"
}
