#!/usr/bin/env bash
# Builds an OpenTelemetry Collector for tests, which receives OTLP and forwards or prints it, and prints its path. The builder
# of the project compiles it once, with modules from the Go module proxy, into the cache folder.
set -euo pipefail

version=0.162.0
providers=1.68.0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/graphwarden/otelcol-debug-$version
program=$cache/otelcol

if [ -x "$program" ]; then
  echo "$program"
  exit
fi
command -v go > /dev/null || { echo 'go is not installed (Debian: apt install golang)' >&2; exit 1; }

mkdir -p "$cache"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
cat > "$work/builder.yaml" << YAML
dist: { name: otelcol, output_path: $work/out, version: $version }
receivers:
  - gomod: go.opentelemetry.io/collector/receiver/otlpreceiver v$version
exporters:
  - gomod: go.opentelemetry.io/collector/exporter/debugexporter v$version
  - gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter v$version
providers:
  - gomod: go.opentelemetry.io/collector/confmap/provider/envprovider v$providers
  - gomod: go.opentelemetry.io/collector/confmap/provider/fileprovider v$providers
YAML
GOBIN=$work/bin go install "go.opentelemetry.io/collector/cmd/builder@v$version" >&2
"$work/bin/builder" --config "$work/builder.yaml" >&2
# In one step, so that other processes see either no program or a complete one.
mv "$work/out/otelcol" "$program"
echo "$program"
