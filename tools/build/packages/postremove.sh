#!/bin/sh
# Runs after a removal. `purge` of a Debian package also deletes the state. The user stays: files of it may exist.
set -e

if [ "$1" = purge ]; then
  rm -rf /var/lib/graphwarden
  # Files that an administrator has put there stay.
  rmdir --ignore-fail-on-non-empty /etc/graphwarden 2> /dev/null || true
fi

if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
