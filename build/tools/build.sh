#!/bin/sh
# Builds one of the Go tools of this folder into the cache, unless it is there: build/tools/build.sh NAME.
# Says where it is. The name of the program holds the digest of its go.sum, so that a new version is built anew.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
name=$1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/graphwarden/tools
program=$cache/$name-$(cat "$here/$name/go.mod" "$here/$name/go.sum" | sha256sum | cut -c 1-12)
if [ ! -x "$program" ]; then
  mkdir -p "$cache"
  half=$(mktemp -d "$cache/.$name.XXXXXX")
  trap 'rm -rf "$half"' EXIT
  (cd "$here/$name" && GOWORK=off GOFLAGS="${GOFLAGS:-} -buildvcs=false -trimpath" nice -n 19 go build -o "$half/" tool >&2)
  mv "$half/$name" "$program"
fi
ln -sfn "$(basename "$program")" "$cache/$name"
echo "$program"
