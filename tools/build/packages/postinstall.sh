#!/bin/sh
# Runs after an installation and after an upgrade. The first argument is `configure` in a Debian package, and the number of
# installed versions in an RPM package.
set -e

case "$1" in
  configure | 1 | 2) ;;
  *) exit 0 ;;
esac

if [ "$1" = configure ]; then
  systemd-sysusers graphwarden.conf
  # Debian unpacks files before the group exists. Later changes of an administrator stay.
  if [ -z "$2" ]; then
    chgrp graphwarden /etc/graphwarden /etc/graphwarden/graphwarden.yml
  fi
fi

if [ -d /run/systemd/system ]; then
  # systemctl prints a failure. It is not one of the package, which would stay half installed.
  systemctl daemon-reload || true
  systemctl try-restart graphwarden.service || true
fi
