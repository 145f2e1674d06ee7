#!/usr/bin/env bash
# Sets up everything on a Debian-like machine, then does what is asked:
#   ./start.sh                         what makes sense now, chosen with the arrow keys
#   ./start.sh rehearse [arguments]    a whole evening with a simulated table
#   ./start.sh test [pytest arguments] linters, types and the whole test suite
#   ./start.sh <command> [arguments]   any other narrator command: setup, play, check, diagram
set -euo pipefail
cd "$(dirname "$0")"
verb=${1:-}
[ $# -gt 0 ] && shift

# In French where the locale is French: say "English" "French".
case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in fr*) french=1 ;; *) french= ;; esac
say() { if [ -n "$french" ]; then printf '\n== %s\n' "$2"; else printf '\n== %s\n' "$1"; fi >&2; }

# What the voice, the ear and the sound need; the tests also need a sound card made of software, a picture of the machine and a browser.
packages="espeak-ng libespeak-ng1 libportaudio2"
[ "$verb" = test ] && packages="$packages libasound2-plugins pulseaudio pulseaudio-utils graphviz chromium"

python=
for candidate in python3.11 python3.12 python3.13 python3.14 python3; do
  if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || packages="$packages python3 python3-venv"

missing=
if command -v dpkg-query >/dev/null; then
  for package in $packages; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
else
  say "Not a Debian-like system: please install the equivalents of: $packages" \
    "Ce n’est pas un système de la famille Debian : installez l’équivalent de : $packages"
fi
if [ -n "$missing" ]; then
  say "Installing$missing" "J’installe$missing"
  root=
  [ "$(id -u)" = 0 ] || root=sudo
  $root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
if [ -z "$python" ]; then
  python=python3
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    {
      say "Python 3.11 or newer is needed; this machine has $("$python" --version)" \
        "Il faut Python 3.11 ou plus récent ; cette machine a $("$python" --version)"
      exit 1
    }
fi

venv=${NARRATOR_VENV:-.venv}
use=evening  # one stamp for all that is no test: what was set up at home needs no network at the table
[ "$verb" = test ] && use=test
stamp="$venv/.ready-$use-$(cksum pyproject.toml | cut -d' ' -f1)"
if [ ! -e "$stamp" ]; then
  say "Preparing $venv" "Je prépare $venv"
  [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
  extra="[web]"  # play --web: the page for the phones
  [ "$verb" = test ] && extra="[dev]"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check -e ".$extra"
  touch "$stamp"
fi

if [ "$verb" = test ]; then
  say "Style and types" "Style et types"
  "$venv/bin/ruff" check .
  "$venv/bin/ruff" format --check .
  "$venv/bin/mypy"
  say "Tests" "Tests"
  exec "$venv/bin/python" -m pytest -n 2 "$@"
fi
exec "$venv/bin/python" -m narrator ${verb:+"$verb"} "$@"
