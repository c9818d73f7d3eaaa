#!/bin/sh
# Runs before a removal and before an upgrade. The first argument is `remove` in a Debian package, and 0 in an RPM package, if
# the package is removed.
set -e

case "$1" in
  remove | 0) ;;
  *) exit 0 ;;
esac

if [ -d /run/systemd/system ]; then
  # systemctl prints a failure, which must not keep the package installed.
  systemctl disable --now graphwarden.service || true
fi
