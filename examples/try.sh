#!/bin/sh
# The demo with Prometheus and Alertmanager as Debian has them, on a machine without containers
# (apt install prometheus prometheus-alertmanager). Ends all of it when it is interrupted.
#
#   examples/try.sh                                begin, and go on until Ctrl-C
#   examples/try.sh --until GraphdbQueryAborted    go on until Alertmanager has heard of this alert (5 minutes at most)
#
# SCENARIO chooses what happens (graphwarden demo --help lists them); the ports are GRAPHWARDEN_PORT (9916),
# PROMETHEUS_PORT (9090) and ALERTMANAGER_PORT (9093).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
graphwarden=127.0.0.1:${GRAPHWARDEN_PORT:-9916}
prometheus=127.0.0.1:${PROMETHEUS_PORT:-9090}
alertmanager=127.0.0.1:${ALERTMANAGER_PORT:-9093}
awaited=
if [ "${1:-}" = --until ]; then awaited=${2:?the name of an alert is missing}; fi

# Debian calls the one by its package, and elsewhere it has its own name.
for tool in node prometheus; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 2; }
done
alerter=$(command -v prometheus-alertmanager || command -v alertmanager) || {
  echo "neither prometheus-alertmanager nor alertmanager is installed" >&2
  exit 2
}

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

# Prints how Alertmanager knows the alert, and fails where it does not.
heard() {
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
    kill -0 "$pid" 2>/dev/null || { echo "one of them has ended:" >&2; cat "$folder"/*.log >&2; exit 1; }
  done
  if [ -n "$awaited" ]; then
    if heard; then exit 0; fi
    if [ "$seconds" -ge 300 ]; then echo "Alertmanager has not heard of $awaited" >&2; exit 1; fi
  fi
  # In the background, so that a signal is not kept waiting.
  sleep 2 &
  wait $! || true
  seconds=$((seconds + 2))
done
