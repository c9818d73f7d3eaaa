#!/bin/sh
# Builds one of the tools in this folder into the cache, unless it is there already, and prints its path:
#   tools/build/tools/build.sh NAME
# A folder with files.txt (module and file) is a set of files from Go modules. A folder with package.json is a program for
# Node, which is bundled with its packages. A folder with requirements.txt is a virtual environment of Python. All others are
# Go programs; if there are several, they are built into one folder. Those with packages.txt share the versions of
# tools/build/tools/go.mod, so that each package is compiled only once. The name in the cache contains a digest of the
# versions and the source, so that a change builds the tool again.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/graphwarden/tools
cd "$here/$name"
module=.
if [ -e packages.txt ]; then module=..; fi
made=$cache/$name-$(cat $(ls "$module/go.mod" "$module/go.sum" files.txt ldflags main.go package-lock.json packages.txt requirements.txt ./*.mjs 2> /dev/null) | sha256sum | cut -c 1-12)

build() {
  packages=$(cat packages.txt 2> /dev/null || echo tool)
  flags=$(cat ldflags 2> /dev/null || true)
  into=$half/$name
  if [ "$(echo "$packages" | wc -l)" -gt 1 ]; then mkdir "$into"; fi
  cd "$module"
  # Tables for a debugger would take a tenth of the time, and garbage collection a fifth: a compiler mostly needs less memory
  # than the limit.
  GOGC=off GOMEMLIMIT=4GiB GOFLAGS="${GOFLAGS:-} -buildvcs=false -trimpath" nice -n 19 go build -ldflags="-s -w $flags" -gcflags=all=-dwarf=false -o "$into" $packages >&2
}

collect() {
  mkdir "$half/$name"
  while read -r module file; do
    cp "$(go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/$file" "$half/$name/"
  done < files.txt
  chmod -R u+w "$half/$name"
}

bundle() {
  mkdir "$half/source" "$half/$name"
  cp "$here/$name"/*.json "$here/$name"/*.mjs "$half/source/"
  (cd "$half/source" && nice -n 19 npm ci --ignore-scripts --no-fund --no-audit && nice -n 19 npx rolldown -c) >&2
  mv "$half"/source/out/* "$half/$name/"
}

install() {
  python3 -m venv "$half/$name" >&2
  nice -n 19 "$half/$name/bin/python" -m pip install --quiet --no-deps --requirement requirements.txt >&2
}

if [ ! -e "$made" ]; then
  mkdir -p "$cache"
  half=$(mktemp -d "$cache/.$name.XXXXXX")
  trap 'rm -rf "$half"' EXIT
  # A signal may end a shell without its trap for EXIT.
  trap 'exit 143' TERM
  trap 'exit 130' INT
  (export GOWORK=off && if [ -e files.txt ]; then collect; elif [ -e package.json ]; then bundle; elif [ -e requirements.txt ]; then install; else build; fi)
  mv "$half/$name" "$made"
fi
ln -sfn "$(basename "$made")" "$cache/$name"
echo "$made"
