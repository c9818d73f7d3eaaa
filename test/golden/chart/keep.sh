#!/bin/sh
# Stores the manifests of some value files by the chart of this version; later versions are compared with them. At a release:
#   test/golden/chart/keep.sh
set -eu
cd "$(dirname "$0")/../../.."
helm=$(tools/build/tools/build.sh helm)
kept=test/golden/chart/$(sed -n 's/^version: //p' helm/graphwarden/Chart.yaml)
mkdir -p "$kept"
cp helm/graphwarden/values.yaml "$kept/values.yaml"
for name in availability defaults names service-monitor sidecar-guard storage; do
  "$helm" template x helm/graphwarden --namespace db --kube-version 1.35.0 \
    --values "helm/graphwarden/ci/$name-values.yaml" > "$kept/$name.yaml"
done
