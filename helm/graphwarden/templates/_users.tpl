{{/* Not empty if the chart creates the users of the daemon. */}}
{{- define "graphwarden.hasUsers" -}}
{{- $isLoopback := include "graphwarden.isLoopback" .Values.listenAddress -}}
{{- if and .Values.web.createUsers (not .Values.web.existingSecret) (not .Values.existingConfigMap.name) (not $isLoopback) -}}yes{{- end -}}
{{- end -}}

{{/* Not empty if the chart creates the user of the sidecars, which always listen on the address of the pod. */}}
{{- define "graphwarden.hasSidecarUsers" -}}
{{- if and .Values.web.createUsers (eq .Values.mode "sidecar") -}}yes{{- end -}}
{{- end -}}

{{/* Not empty for an address that only the containers of the pod reach. */}}
{{- define "graphwarden.isLoopback" -}}
{{- if regexMatch "^(127[.]|localhost$|\\[?::1\\]?$)" . -}}yes{{- end -}}
{{- end -}}

{{- define "graphwarden.usersSecret" -}}{{ include "graphwarden.fullname" . }}-users{{- end -}}
{{- define "graphwarden.scraperSecret" -}}{{ include "graphwarden.fullname" . }}-scraper{{- end -}}

{{/* The Secret with the web config file of the daemon; empty if every client may read. */}}
{{- define "graphwarden.webSecret" -}}
{{- if .Values.web.existingSecret -}}
{{- .Values.web.existingSecret -}}
{{- else if include "graphwarden.hasUsers" . -}}
{{- include "graphwarden.usersSecret" . -}}
{{- end -}}
{{- end -}}

{{/* Data of the Secret: a password and a hash for each user. Those of the installed Secret are kept; without access to the
     cluster, as in helm template, they are new. All templates of a rendering must use the same ones. */}}
{{- define "graphwarden.users" -}}
{{- if not (hasKey .Values.web "generated") -}}
{{- include "graphwarden.checks" . -}}
{{- $installed := lookup "v1" "Secret" (include "graphwarden.namespace" .) (include "graphwarden.usersSecret" .) | default dict -}}
{{- $data := dict -}}
{{- range $key, $value := default (dict) $installed.data -}}{{- $_ := set $data $key (b64dec $value) -}}{{- end -}}
{{- range $user := list "graphwarden" "prometheus" -}}
{{- if not (and (get $data $user) (get $data (printf "%s.hash" $user))) -}}
{{- $password := randAlphaNum 32 -}}
{{- $_ := set $data $user $password -}}
{{- $_ := set $data (printf "%s.hash" $user) (htpasswd $user $password | trimPrefix (printf "%s:" $user)) -}}
{{- end -}}
{{- end -}}
{{- $_ := set .Values.web "generated" (pick $data "graphwarden" "graphwarden.hash" "prometheus" "prometheus.hash") -}}
{{- end -}}
{{- get .Values.web "generated" | toYaml -}}
{{- end -}}

{{/* A web config file in exporter-toolkit format. Takes root and users, a list of names. */}}
{{- define "graphwarden.webConfig" -}}
{{- $data := include "graphwarden.users" .root | fromYaml -}}
basic_auth_users:
{{- range .users }}
  {{ . }}: {{ get $data (printf "%s.hash" .) | quote }}
{{- end }}
{{- end -}}

{{/* The credentials of a monitor: those of the value, or the user that may scrape only. Takes root, monitor and isSecured. */}}
{{- define "graphwarden.monitorAuth" -}}
{{- if and .isSecured (not .monitor.basicAuth) (not .monitor.authorization) -}}
{{- $name := include "graphwarden.scraperSecret" .root -}}
basicAuth:
  username: { name: {{ $name | quote }}, key: username }
  password: { name: {{ $name | quote }}, key: password }
{{- end -}}
{{- end -}}

{{/* Namespaces of the monitors, which read the Secret of the scraper in their own one. */}}
{{- define "graphwarden.scraperNamespaces" -}}
{{- $namespaces := list (include "graphwarden.namespace" .) -}}
{{- range $monitor := list .Values.serviceMonitor .Values.podMonitor -}}
{{- if and $monitor.enabled $monitor.namespace -}}{{- $namespaces = append $namespaces $monitor.namespace -}}{{- end -}}
{{- end -}}
{{- toYaml ($namespaces | uniq) -}}
{{- end -}}
