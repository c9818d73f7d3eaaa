#!/bin/sh
# Runs the demo with Debian's Prometheus and Alertmanager, without containers
# (apt install prometheus prometheus-alertmanager). Stops all of them when it is interrupted.
#
#   examples/try.sh                                run until Ctrl-C
#   examples/try.sh --until GraphdbQueryAborted    run until Alertmanager has this alert (5 minutes at most)
#
# SCENARIO selects the scenario (graphwarden demo --help lists them); the ports are GRAPHWARDEN_PORT (9916),
# PROMETHEUS_PORT (9090) and ALERTMANAGER_PORT (9093).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# `npm ci` installs the Node that the program requires; that of the system may be older.
PATH=$root/node_modules/.bin:$PATH
graphwarden=127.0.0.1:${GRAPHWARDEN_PORT:-9916}
prometheus=127.0.0.1:${PROMETHEUS_PORT:-9090}
alertmanager=127.0.0.1:${ALERTMANAGER_PORT:-9093}
awaited=
if [ "${1:-}" = --until ]; then awaited=${2:?--until requires the name of an alert}; fi

# On Debian the program is prometheus-alertmanager, elsewhere alertmanager.
for tool in node npm prometheus; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 2; }
done
alerter=$(command -v prometheus-alertmanager || command -v alertmanager) || {
  echo "neither prometheus-alertmanager nor alertmanager is installed" >&2
  exit 2
}

node "$root/bin/check-node.mjs"
[ -e "$root/dist/graphwarden-page.json" ] || npm run --silent --prefix "$root" page >&2

folder=$(mktemp -d)
running=
finish() {
  trap - EXIT INT TERM
  for pid in $running; do kill "$pid" 2>/dev/null || true; done
  for pid in $running; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
trap 'finish; exit 0' INT TERM

sed -e "s|127.0.0.1:9916|$graphwarden|" -e "s|127.0.0.1:9093|$alertmanager|" -e "s|\.\./dashboards|$root/dashboards|" \
  "$root/examples/prometheus.yml" >"$folder/prometheus.yml"

node "$root/bin/graphwarden.mjs" demo --listen "$graphwarden" --scenario "${SCENARIO:-runaway_queries}" \
  >"$folder/graphwarden.log" 2>&1 &
running=$!
prometheus --config.file="$folder/prometheus.yml" --storage.tsdb.path="$folder/prometheus" \
  --web.listen-address="$prometheus" --log.level=warn >"$folder/prometheus.log" 2>&1 &
running="$running $!"
"$alerter" --config.file="$root/examples/alertmanager.yml" --storage.path="$folder/alertmanager" \
  --web.listen-address="$alertmanager" --cluster.listen-address= --log.level=warn >"$folder/alertmanager.log" 2>&1 &
running="$running $!"

echo "graphwarden  http://$graphwarden/"
echo "Prometheus   http://$prometheus/alerts"
echo "Alertmanager http://$alertmanager/"

# Prints the summary of the alert in Alertmanager, or fails if Alertmanager does not have it.
has_alert() {
  node -e '
    const [address, name] = process.argv.slice(1);
    const filter = encodeURIComponent(`alertname="${name}"`);
    fetch(`http://${address}/api/v2/alerts?filter=${filter}`)
      .then((reply) => reply.json())
      .then(([alert]) => (alert ? console.log(alert.annotations.summary) : process.exit(1)))
      .catch(() => process.exit(1));
  ' "$alertmanager" "$awaited"
}

seconds=0
while :; do
  for pid in $running; do
    kill -0 "$pid" 2>/dev/null || { echo "a process has exited:" >&2; cat "$folder"/*.log >&2; exit 1; }
  done
  if [ -n "$awaited" ]; then
    if has_alert; then exit 0; fi
    if [ "$seconds" -ge 300 ]; then echo "Alertmanager does not have the alert $awaited" >&2; exit 1; fi
  fi
  # In the background, so that a signal is handled at once.
  sleep 2 &
  wait $! || true
  seconds=$((seconds + 2))
done
