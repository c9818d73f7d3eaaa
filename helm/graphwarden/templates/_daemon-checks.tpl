{{/* Rejects values with which the daemon would not start or would not be reachable. */}}
{{- define "graphwarden.daemonChecks" -}}
{{- $wrong := list -}}
{{- if ne (toJson .Values.strategy) (toJson (dict "type" "Recreate")) -}}
{{- $wrong = append $wrong "strategy: a new daemon must not start before the old one has stopped, because both could abort. The strategy is always Recreate, or a rolling update with state.postgres. Remove it." -}}
{{- end -}}
{{- range .Values.extraArgs -}}
{{- if not (or (hasPrefix "--config=" .) (has . (list "--keep-trying" "--require-config"))) -}}
{{- $wrong = append $wrong (printf "extraArgs: %s is no argument of graphwarden run, so the container would restart repeatedly. Remove it and use config." .) -}}
{{- end -}}
{{- end -}}
{{- if and (include "graphwarden.isLoopback" .Values.listenAddress) (not .Values.extraContainers) -}}
{{- $wrong = append $wrong "listenAddress: probes and Prometheus connect from outside the pod and would not reach it there. Remove it, or set it to \"[::]\" for IPv6." -}}
{{- end -}}
{{- if and (eq .Values.web.scheme "https") (not .Values.web.existingSecret) -}}
{{- $wrong = append $wrong "web.scheme: https needs a certificate. Name a Secret with the web config file in web.existingSecret, or remove web.scheme." -}}
{{- end -}}
{{- $proxies := (default (dict) .Values.config.web).trusted_proxies -}}
{{- range $role := list "operators" "readers" "scrapers" -}}
{{- range $user := default (list) (get $.Values.config $role) -}}
{{- $isCreated := and (include "graphwarden.hasUsers" $) (has $user (list "graphwarden" "prometheus")) -}}
{{- if not (or $isCreated $.Values.web.existingSecret $.Values.existingConfigMap.name $proxies) -}}
{{- $wrong = append $wrong (printf "config.%s: no client can authenticate as %s. Name a Secret with the web config file in web.existingSecret, or a proxy in config.web.trusted_proxies, or use the user graphwarden of web.createUsers, or remove %s." $role $user $user) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $value := list "commonLabels" "podLabels" -}}
{{- range $label, $_ := default (dict) (get $.Values $value) -}}
{{- if has $label (list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component") -}}
{{- $wrong = append $wrong (printf "%s: the selectors of the chart use %s. Remove it; nameOverride changes the name." $value $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.dnsPolicy "None") (not (default (dict) .Values.dnsConfig).nameservers) -}}
{{- $wrong = append $wrong "dnsPolicy: None takes all settings from dnsConfig. Name the servers in dnsConfig.nameservers." -}}
{{- end -}}
{{- range $value := list "fullnameOverride" "nameOverride" "namespaceOverride" -}}
{{- $name := get $.Values $value -}}
{{- if and $name (not (regexMatch "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" $name)) -}}
{{- $wrong = append $wrong (printf "%s: %s is not a valid name in Kubernetes. Use lower-case letters, digits and dashes." $value $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.image.digest (not (regexMatch "^sha256:[0-9a-f]{64}$" .Values.image.digest)) -}}
{{- $wrong = append $wrong "image.digest: it must be sha256: and 64 hexadecimal digits. For a version use image.tag." -}}
{{- end -}}
{{- $budget := default (dict) .Values.podDisruptionBudget.spec -}}
{{- if and .Values.podDisruptionBudget.enabled (hasKey $budget "minAvailable") (hasKey $budget "maxUnavailable") -}}
{{- $wrong = append $wrong "podDisruptionBudget.spec: Kubernetes accepts minAvailable or maxUnavailable, not both. Remove one." -}}
{{- end -}}
{{- $lifecycles := dict "lifecycle" .Values.lifecycle -}}
{{- range $value := list "extraContainers" "initContainers" -}}
{{- range default (list) (get $.Values $value) -}}{{- $_ := set $lifecycles (printf "%s: lifecycle of %s" $value .name) .lifecycle -}}{{- end -}}
{{- end -}}
{{- range $at, $lifecycle := $lifecycles -}}
{{- range $hook, $handler := default (dict) $lifecycle -}}
{{- $seconds := dig "sleep" "seconds" 0 (default (dict) $handler) -}}
{{- if gt (int64 $seconds) (int64 $.Values.terminationGracePeriodSeconds) -}}
{{- $wrong = append $wrong (printf "%s.%s.sleep: Kubernetes accepts at most terminationGracePeriodSeconds (%v). Lower the seconds, or raise that." $at $hook $.Values.terminationGracePeriodSeconds) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $value := list "securityContext" "sidecar.securityContext" -}}
{{- $context := default (dict) (ternary $.Values.securityContext $.Values.sidecar.securityContext (eq $value "securityContext")) -}}
{{- $added := default (list) (default (dict) $context.capabilities).add -}}
{{- $isPrivileged := or $context.privileged (has "CAP_SYS_ADMIN" $added) -}}
{{- if and $isPrivileged (eq (toString $context.allowPrivilegeEscalation) "false") -}}
{{- $wrong = append $wrong (printf "%s: Kubernetes accepts privileged and CAP_SYS_ADMIN only without allowPrivilegeEscalation: false, and graphwarden needs neither. Remove them." $value) -}}
{{- end -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.resourceChecks" (dict "name" "resources" "resources" .Values.resources) | fromYamlArray) -}}
{{- concat $wrong (include "graphwarden.pathChecks" . | fromYamlArray) | toYaml -}}
{{- end -}}

{{/* Every route begins with the path of external_url. */}}
{{- define "graphwarden.pathChecks" -}}
{{- $wrong := list -}}
{{- $prefix := include "graphwarden.prefix" . -}}
{{- $path := include "graphwarden.externalPath" . -}}
{{- if and (not (contains "${" $path)) (include "graphwarden.hasInvalidEscape" $path) -}}
{{- $wrong = append $wrong "config.external_url: its path is not correctly percent-encoded. Write % as %25." -}}
{{- end -}}
{{- if contains "${" $path -}}
{{- $wrong = append $wrong "config.external_url: probes and monitors request its path, which the chart does not know. Write the scheme and the path, as in https://${HOST}/warden." -}}
{{- end -}}
{{- range $value, $door := dict "ingress" .Values.ingress "route" .Values.route -}}
{{- $rewrites := and (eq $value "ingress") $door.annotations -}}
{{- if and $door.enabled $door.path (not $rewrites) (not (hasPrefix (printf "%s/" (trimSuffix "/" $door.path)) (printf "%s/" $prefix))) -}}
{{- $wrong = append $wrong (printf "%s.path: %s returns 404, because all routes begin with %s/. Remove it, and set the path in %s." $value $door.path $prefix (ternary "existingConfigMap.path" "config.external_url" (ne $.Values.existingConfigMap.name ""))) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- $wrong = append $wrong "ingress.hosts: without a host it matches no request. Name one, or disable the ingress." -}}
{{- end -}}
{{- if and .Values.existingConfigMap.path (not .Values.existingConfigMap.name) -}}
{{- $wrong = append $wrong "existingConfigMap.path: it applies to existingConfigMap.name only, which is not set. Set the path in config.external_url." -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* Rejects fields that the API server accepts for other types of Services only. */}}
{{- define "graphwarden.serviceChecks" -}}
{{- $wrong := list -}}
{{- $service := .Values.service -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.ingressFrom) (include "graphwarden.isExposed" .) -}}
{{- $wrong = append $wrong "networkPolicy.ingressFrom: the policy would block the clients of the ingress, the route or the load balancer. Name where they come from, such as [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ingress-nginx } } }], or [{ ipBlock: { cidr: 0.0.0.0/0 } }] for everywhere." -}}
{{- end -}}
{{- if and (ne $service.type "ClusterIP") (not (include "graphwarden.hasService" .)) -}}
{{- $wrong = append $wrong (printf "service.type: no Service is created. Set service.enabled to true for one of the type %s, or remove the type." $service.type) -}}
{{- end -}}
{{- if eq $service.type "ClusterIP" -}}
{{- range $field := list "nodePort" "externalTrafficPolicy" -}}
{{- if get $service $field -}}
{{- $wrong = append $wrong (printf "service.%s: a Service of the type ClusterIP has none. Set service.type to NodePort or LoadBalancer, or remove it." $field) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if ne $service.type "LoadBalancer" -}}
{{- range $field := list "loadBalancerClass" "loadBalancerSourceRanges" -}}
{{- if get $service $field -}}
{{- $wrong = append $wrong (printf "service.%s: a Service of the type %s has no load balancer. Set service.type to LoadBalancer, or remove it." $field $service.type) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (gt (len (default (list) $service.ipFamilies)) 1) (not (hasSuffix "DualStack" $service.ipFamilyPolicy)) -}}
{{- $wrong = append $wrong "service.ipFamilies: without a dual-stack policy, which is SingleStack, a Service has one family. Name one, or set service.ipFamilyPolicy to PreferDualStack." -}}
{{- end -}}
{{- if and .Values.persistence.enabled (not .Values.persistence.existingClaim) (has "ReadWriteOncePod" .Values.persistence.accessModes) (gt (len .Values.persistence.accessModes) 1) -}}
{{- $wrong = append $wrong "persistence.accessModes: Kubernetes accepts ReadWriteOncePod only alone. Remove the other modes." -}}
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
