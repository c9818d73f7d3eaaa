{{/* What the daemon would not start with, or nobody would reach it by. */}}
{{- define "graphwarden.daemonChecks" -}}
{{- $wrong := list -}}
{{- if ne (toJson .Values.strategy) (toJson (dict "type" "Recreate")) -}}
{{- $wrong = append $wrong "strategy: the next daemon must not start before this one has ended, since both might abort. It is always Recreate. Remove it." -}}
{{- end -}}
{{- range .Values.extraArgs -}}
{{- if not (or (hasPrefix "--config=" .) (eq . "--keep-trying")) -}}
{{- $wrong = append $wrong (printf "extraArgs: %s is no argument of graphwarden run, which would end over and over. Remove it: what the daemon does is said in config." .) -}}
{{- end -}}
{{- end -}}
{{- if and (regexMatch "^(127[.]|localhost$|\\[?::1\\]?$)" .Values.listenAddress) (not .Values.extraContainers) -}}
{{- $wrong = append $wrong "listenAddress: probes and Prometheus come from outside the pod, and would not reach it there. Remove it, or set it to \"[::]\" for IPv6." -}}
{{- end -}}
{{- if and (eq .Values.web.scheme "https") (not .Values.web.existingSecret) -}}
{{- $wrong = append $wrong "web.scheme: https needs a certificate. Name a Secret with the web config file in web.existingSecret, or remove web.scheme." -}}
{{- end -}}
{{- if and .Values.config.operators (not .Values.web.existingSecret) -}}
{{- $wrong = append $wrong "config.operators: without users nobody can show who they are. Name a Secret with the web config file in web.existingSecret, or remove config.operators." -}}
{{- end -}}
{{- range $value := list "commonLabels" "podLabels" -}}
{{- range $label, $_ := default (dict) (get $.Values $value) -}}
{{- if has $label (list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component") -}}
{{- $wrong = append $wrong (printf "%s: by %s the chart finds what is its own. Remove it; nameOverride changes the name." $value $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $value := list "fullnameOverride" "nameOverride" "namespaceOverride" -}}
{{- $name := get $.Values $value -}}
{{- if and $name (not (regexMatch "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" $name)) -}}
{{- $wrong = append $wrong (printf "%s: nothing in Kubernetes can be called %s. Take lower-case letters, digits and dashes." $value $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.image.digest (not (regexMatch "^sha256:[0-9a-f]{64}$" .Values.image.digest)) -}}
{{- $wrong = append $wrong "image.digest: it is sha256: and 64 hexadecimal digits. For a version use image.tag." -}}
{{- end -}}
{{- $budget := default (dict) .Values.podDisruptionBudget.spec -}}
{{- if and .Values.podDisruptionBudget.enabled (hasKey $budget "minAvailable") (hasKey $budget "maxUnavailable") -}}
{{- $wrong = append $wrong "podDisruptionBudget.spec: Kubernetes takes minAvailable or maxUnavailable, not both. Remove one." -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.resourceChecks" (dict "name" "resources" "resources" .Values.resources) | fromYamlArray) -}}
{{- concat $wrong (include "graphwarden.pathChecks" . | fromYamlArray) | toYaml -}}
{{- end -}}

{{/* Every route begins with the path of our own address. */}}
{{- define "graphwarden.pathChecks" -}}
{{- $wrong := list -}}
{{- $prefix := include "graphwarden.prefix" . -}}
{{- range $value, $door := dict "ingress" .Values.ingress "route" .Values.route -}}
{{- $rewrites := and (eq $value "ingress") $door.annotations -}}
{{- if and $door.enabled $door.path (not $rewrites) (not (hasPrefix (printf "%s/" (trimSuffix "/" $door.path)) (printf "%s/" $prefix))) -}}
{{- $wrong = append $wrong (printf "%s.path: behind %s nothing answers, since all addresses begin with %s/. Remove it, and say the path in %s." $value $door.path $prefix (ternary "existingConfigMap.path" "config.external_url" (ne $.Values.existingConfigMap.name ""))) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- $wrong = append $wrong "ingress.hosts: without a host it answers for nothing. Name one, or disable the ingress." -}}
{{- end -}}
{{- if and .Values.existingConfigMap.path (not .Values.existingConfigMap.name) -}}
{{- $wrong = append $wrong "existingConfigMap.path: it is that of a file of yours, and there is none. Say the path in config.external_url." -}}
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
{{- $wrong = append $wrong (printf "%s.scrapeTimeout: Prometheus refuses a time-out of %s with an interval of %s. Lower it, or raise the interval." $value $monitor.scrapeTimeout $monitor.interval) -}}
{{- end -}}
{{- if and $.Values.prometheusRule.enabled (ne $monitor.job "graphwarden") -}}
{{- $wrong = append $wrong (printf "%s.job: the rules of prometheusRule look for the job graphwarden, and would say that it is gone. Remove it." $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.dashboards.enabled (not .Values.dashboards.label) -}}
{{- $wrong = append $wrong "dashboards.label: without a label Grafana finds none of them. Remove it for grafana_dashboard." -}}
{{- end -}}
{{- if and .Values.route.enabled (not .Values.route.parentRefs) -}}
{{- $wrong = append $wrong "route.parentRefs: a route without a Gateway does nothing. Name the Gateway: [{ name: public }]." -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
