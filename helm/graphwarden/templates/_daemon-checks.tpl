{{/* Rejects values with which the daemon would not start or would not be reachable. */}}
{{- define "graphwarden.daemonChecks" -}}
{{- $wrong := list -}}
{{- if ne (toJson .Values.strategy) (toJson (dict "type" "Recreate")) -}}
{{- $wrong = append $wrong "strategy: a new daemon must not start before the old one has stopped, because both could abort. The strategy is always Recreate. Remove it." -}}
{{- end -}}
{{- range .Values.extraArgs -}}
{{- if not (or (hasPrefix "--config=" .) (eq . "--keep-trying")) -}}
{{- $wrong = append $wrong (printf "extraArgs: %s is no argument of graphwarden run, so the container would restart repeatedly. Remove it and use config." .) -}}
{{- end -}}
{{- end -}}
{{- if and (regexMatch "^(127[.]|localhost$|\\[?::1\\]?$)" .Values.listenAddress) (not .Values.extraContainers) -}}
{{- $wrong = append $wrong "listenAddress: probes and Prometheus connect from outside the pod and would not reach it there. Remove it, or set it to \"[::]\" for IPv6." -}}
{{- end -}}
{{- if and (eq .Values.web.scheme "https") (not .Values.web.existingSecret) -}}
{{- $wrong = append $wrong "web.scheme: https needs a certificate. Name a Secret with the web config file in web.existingSecret, or remove web.scheme." -}}
{{- end -}}
{{- $proxies := (default (dict) .Values.config.web).trusted_proxies -}}
{{- if and .Values.config.operators (not .Values.web.existingSecret) (not $proxies) -}}
{{- $wrong = append $wrong "config.operators: without users, no client can authenticate. Name a Secret with the web config file in web.existingSecret, or a proxy in config.web.trusted_proxies, or remove config.operators." -}}
{{- end -}}
{{- range $value := list "commonLabels" "podLabels" -}}
{{- range $label, $_ := default (dict) (get $.Values $value) -}}
{{- if has $label (list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component") -}}
{{- $wrong = append $wrong (printf "%s: the selectors of the chart use %s. Remove it; nameOverride changes the name." $value $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $value := list "fullnameOverride" "nameOverride" "namespaceOverride" -}}
{{- $name := get $.Values $value -}}
{{- if and $name (not (regexMatch "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" $name)) -}}
{{- $wrong = append $wrong (printf "%s: %s is not a valid name in Kubernetes. Take lower-case letters, digits and dashes." $value $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.image.digest (not (regexMatch "^sha256:[0-9a-f]{64}$" .Values.image.digest)) -}}
{{- $wrong = append $wrong "image.digest: it must be sha256: and 64 hexadecimal digits. For a version use image.tag." -}}
{{- end -}}
{{- $budget := default (dict) .Values.podDisruptionBudget.spec -}}
{{- if and .Values.podDisruptionBudget.enabled (hasKey $budget "minAvailable") (hasKey $budget "maxUnavailable") -}}
{{- $wrong = append $wrong "podDisruptionBudget.spec: Kubernetes accepts minAvailable or maxUnavailable, not both. Remove one." -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.resourceChecks" (dict "name" "resources" "resources" .Values.resources) | fromYamlArray) -}}
{{- concat $wrong (include "graphwarden.pathChecks" . | fromYamlArray) | toYaml -}}
{{- end -}}

{{/* Every route begins with the path of external_url. */}}
{{- define "graphwarden.pathChecks" -}}
{{- $wrong := list -}}
{{- $prefix := include "graphwarden.prefix" . -}}
{{- range $value, $door := dict "ingress" .Values.ingress "route" .Values.route -}}
{{- $rewrites := and (eq $value "ingress") $door.annotations -}}
{{- if and $door.enabled $door.path (not $rewrites) (not (hasPrefix (printf "%s/" (trimSuffix "/" $door.path)) (printf "%s/" $prefix))) -}}
{{- $wrong = append $wrong (printf "%s.path: %s returns 404, because all routes begin with %s/. Remove it, and say the path in %s." $value $door.path $prefix (ternary "existingConfigMap.path" "config.external_url" (ne $.Values.existingConfigMap.name ""))) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- $wrong = append $wrong "ingress.hosts: without a host it matches no request. Name one, or disable the ingress." -}}
{{- end -}}
{{- if and .Values.existingConfigMap.path (not .Values.existingConfigMap.name) -}}
{{- $wrong = append $wrong "existingConfigMap.path: it applies to existingConfigMap.name only, which is not set. Say the path in config.external_url." -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{- define "graphwarden.monitorChecks" -}}
{{- $wrong := list -}}
{{- if and (ne .Values.mode "sidecar") .Values.serviceMonitor.enabled .Values.podMonitor.enabled -}}
{{- $wrong = append $wrong "podMonitor.enabled: the daemon would be scraped twice. Enable serviceMonitor or podMonitor, not both." -}}
{{- end -}}
{{- range $value := list "serviceMonitor" "podMonitor" -}}
{{- $monitor := get $.Values $value -}}
{{- if $monitor.enabled -}}
{{- $interval := include "graphwarden.milliseconds" $monitor.interval -}}
{{- $timeout := include "graphwarden.milliseconds" $monitor.scrapeTimeout -}}
{{- if not (and $interval $timeout) -}}
{{- $wrong = append $wrong (printf "%s: interval and scrapeTimeout are durations with a unit. Write them as 15s or 1m." $value) -}}
{{- else if gt (int64 $timeout) (int64 $interval) -}}
{{- $wrong = append $wrong (printf "%s.scrapeTimeout: Prometheus rejects a timeout of %s with an interval of %s. Lower it, or raise the interval." $value $monitor.scrapeTimeout $monitor.interval) -}}
{{- end -}}
{{- if and $.Values.prometheusRule.enabled (ne $monitor.job "graphwarden") -}}
{{- $wrong = append $wrong (printf "%s.job: the rules of prometheusRule expect the job graphwarden, and GraphwardenGone would fire. Remove it." $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.dashboards.enabled (not .Values.dashboards.label) -}}
{{- $wrong = append $wrong "dashboards.label: without a label, Grafana loads none of them. Remove it for grafana_dashboard." -}}
{{- end -}}
{{- if and .Values.route.enabled (not .Values.route.parentRefs) -}}
{{- $wrong = append $wrong "route.parentRefs: a route without a Gateway has no effect. Name the Gateway: [{ name: public }]." -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
