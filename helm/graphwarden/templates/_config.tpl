{{- define "graphwarden.configFolder" -}}/etc/graphwarden/config{{- end -}}
{{- define "graphwarden.secretsFolder" -}}/etc/graphwarden/secrets{{- end -}}
{{- define "graphwarden.webFolder" -}}/etc/graphwarden/web{{- end -}}
{{- define "graphwarden.webFile" -}}{{ ternary .Values.web.file "web.yml" (ne .Values.web.existingSecret "") }}{{- end -}}
{{- define "graphwarden.stateDir" -}}/var/lib/graphwarden{{- end -}}

{{- define "graphwarden.configMapName" -}}
{{- default (include "graphwarden.fullname" .) .Values.existingConfigMap.name -}}
{{- end -}}

{{- define "graphwarden.configFile" -}}
{{- include "graphwarden.configFolder" . }}/{{ ternary .Values.existingConfigMap.key "graphwarden.yml" (ne .Values.existingConfigMap.name "") -}}
{{- end -}}

{{/* One credential of a cluster in the format of the configuration file; empty if there is none. */}}
{{- define "graphwarden.credential" -}}
{{- if .existingSecret -}}
{{- $file := printf "%s/%s/%s" (include "graphwarden.secretsFolder" .) .existingSecret (default "token" .key) -}}
{{- $kind := default "bearerToken" .kind -}}
{{- if eq $kind "basic" -}}
basic:
  username: {{ .username | quote }}
  password_file: {{ $file }}
{{- else if eq $kind "secret" -}}
secret_file: {{ $file }}
{{- else -}}
bearer_token_file: {{ $file }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The settings of a cluster except its nodes. Takes the cluster. */}}
{{- define "graphwarden.clusterHead" -}}
name: {{ .name | quote }}
{{- with .labels }}
labels:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with include "graphwarden.credential" (default (dict) .readAuth) }}
read_auth:
  {{- . | nindent 2 }}
{{- end }}
{{- with include "graphwarden.credential" (default (dict) .abortAuth) }}
abort_auth:
  {{- . | nindent 2 }}
{{- end }}
{{- with include "graphwarden.clusterTls" (default (dict) .tls) | trim }}
tls:
  {{- . | nindent 2 }}
{{- end }}
{{- with .options }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "graphwarden.clusterTls" -}}
{{- $folder := printf "%s/%s" (include "graphwarden.secretsFolder" .) (default "" .existingSecret) -}}
{{- if and .existingSecret (ne (default "ca.crt" .caKey) "-") }}
ca_file: {{ $folder }}/{{ default "ca.crt" .caKey }}
{{- end }}
{{- if and .existingSecret .certKey }}
cert_file: {{ $folder }}/{{ .certKey }}
key_file: {{ $folder }}/{{ .keyKey }}
{{- end }}
{{- with .serverName }}
server_name: {{ . | quote }}
{{- end }}
{{- if .insecureSkipVerify }}
insecure_skip_verify: true
{{- end }}
{{- end -}}

{{/* Full name of the headless Service of a cluster. Takes (dict "root" $ "cluster" …). */}}
{{- define "graphwarden.databaseService" -}}
{{- $service := default (dict) .cluster.service -}}
{{- $name := default (printf "%s-internal-service" .cluster.name) $service.name -}}
{{- $namespace := default (include "graphwarden.namespace" .root) $service.namespace -}}
{{- printf "%s.%s.svc.%s" $name $namespace .root.Values.clusterDomain -}}
{{- end -}}

{{/* The port in the URL of a node; empty if only the program can determine it. Takes the URL. */}}
{{- define "graphwarden.portOf" -}}
{{- if regexMatch "^https?://[^/]*:[0-9]+(/.*)?$" . -}}
{{- regexReplaceAll "^https?://[^/]*:([0-9]+)(/.*)?$" . "${1}" -}}
{{- else if regexMatch "^https?://[^$]+$" . -}}
{{- ternary 443 80 (hasPrefix "https:" .) -}}
{{- end -}}
{{- end -}}

{{- define "graphwarden.clusterNodes" -}}
{{- $service := default (dict) .cluster.service -}}
{{- $portName := default "nginx" $service.portName -}}
{{- if .cluster.nodes -}}
nodes:
  {{- toYaml .cluster.nodes | nindent 2 }}
{{- else -}}
discover:
  {{- if eq $portName "-" }}
  dns: {{ include "graphwarden.databaseService" . }}
  port: {{ default 14240 $service.port }}
  {{- else }}
  srv: _{{ $portName }}._tcp.{{ include "graphwarden.databaseService" . }}
  {{- end }}
  refresh_interval: {{ default "30s" $service.refreshInterval | quote }}
  scheme: {{ default "http" $service.scheme | quote }}
{{- end -}}
{{- end -}}

{{/* The clusters for the configuration of the daemon. In sidecar mode only sidecars abort, so the daemon gets no abort credential. */}}
{{- define "graphwarden.daemonClusters" -}}
{{- $clusters := list -}}
{{- range .Values.clusters -}}
{{- $clusters = append $clusters (ternary (omit . "abortAuth") . (eq $.Values.mode "sidecar")) -}}
{{- end -}}
{{- toYaml $clusters -}}
{{- end -}}

{{/* The configuration file of the daemon: scope all, or scope cluster in sidecar mode. */}}
{{- define "graphwarden.config" -}}
{{- $clusters := list -}}
{{- range include "graphwarden.daemonClusters" . | fromYamlArray -}}
{{- $nodes := include "graphwarden.clusterNodes" (dict "root" $ "cluster" .) | fromYaml -}}
{{- $clusters = append $clusters (merge $nodes (include "graphwarden.clusterHead" . | fromYaml)) -}}
{{- end -}}
{{- $own := dict "listen" (printf "%s:%v" (include "graphwarden.host" .Values.listenAddress) .Values.port) "state_dir" (include "graphwarden.stateDir" .) -}}
{{- $own = merge $own (include "graphwarden.stateAddress" . | fromYaml) -}}
{{- $_ := set $own "scope" (ternary "cluster" "all" (eq .Values.mode "sidecar")) -}}
{{- $_ := set $own "clusters" $clusters -}}
{{- if include "graphwarden.webSecret" . -}}
{{- $_ := set $own "web_config_file" (printf "%s/%s" (include "graphwarden.webFolder" .) (include "graphwarden.webFile" .)) -}}
{{- end -}}
{{- if include "graphwarden.hasUsers" . -}}
{{- $others := concat (default (list) .Values.config.operators) (default (list) .Values.config.readers) -}}
{{- $scrapers := ternary (list) (list "prometheus") (has "prometheus" $others) -}}
{{- $_ := set $own "scrapers" (concat $scrapers (default (list) .Values.config.scrapers) | uniq) -}}
{{- end -}}
{{- $web := dict -}}
{{- with concat (include "graphwarden.serviceHosts" . | fromYamlArray) (default (list) (default (dict) .Values.config.web).allowed_hosts) -}}
{{- $_ := set $web "allowed_hosts" (. | uniq) -}}
{{- end -}}
{{- if and .Values.state.postgres.existingSecret (not (default (dict) .Values.config.web).advertise_url) -}}
{{- $_ := set $web "advertise_url" (printf "%s://%s:%v" (include "graphwarden.scheme" .) (include "graphwarden.host" "${POD_IP}") .Values.port) -}}
{{- end -}}
{{- if $web -}}{{- $_ := set $own "web" $web -}}{{- end -}}
{{- $bound := dict -}}
{{- with include "graphwarden.stateSize" . -}}{{- $bound = dict "state" (dict "retention" (dict "size" .)) -}}{{- end -}}
{{- toYaml (merge $own (deepCopy .Values.config) $bound) -}}
{{- end -}}

{{/* The maximum size of the state that fits, twice, into the volume of the chart: a migration copies it. In an emptyDir, it counts towards
     the ephemeral storage of the pod, which is evicted when it exceeds its limit. Empty for the default of the program. */}}
{{- define "graphwarden.stateSize" -}}
{{- if or .Values.state.postgres.existingSecret .Values.existingConfigMap.name -}}
{{- else if not .Values.persistence.enabled -}}
128MiB
{{- else if not .Values.persistence.existingClaim -}}
{{- $mebibytes := mulf 0.4 (divf (include "graphwarden.quantity" .Values.persistence.size | default "0" | float64) 1048576) | int64 -}}
{{- if lt $mebibytes 2048 -}}{{ $mebibytes }}MiB{{- end -}}
{{- end -}}
{{- end -}}

{{/* The names under which clients reach the daemon. Requests to IP addresses, such as those of probes and Prometheus, need none. */}}
{{- define "graphwarden.serviceHosts" -}}
{{- $hosts := list -}}
{{- if include "graphwarden.hasService" . -}}
{{- $name := include "graphwarden.fullname" . -}}
{{- $namespaced := printf "%s.%s" $name (include "graphwarden.namespace" .) -}}
{{- $hosts = list $name $namespaced (printf "%s.svc" $namespaced) (printf "%s.svc.%s" $namespaced .Values.clusterDomain) -}}
{{- end -}}
{{- if .Values.ingress.enabled -}}{{- range .Values.ingress.hosts -}}{{- $hosts = append $hosts (tpl . $) -}}{{- end -}}{{- end -}}
{{- if .Values.route.enabled -}}{{- range .Values.route.hostnames -}}{{- $hosts = append $hosts (tpl . $) -}}{{- end -}}{{- end -}}
{{- toYaml $hosts -}}
{{- end -}}

{{/* An address in front of a port. An IPv6 address is in brackets; so is the address of the pod, which may be one. */}}
{{- define "graphwarden.host" -}}
{{- if and (or (contains ":" .) (eq . "${POD_IP}")) (not (hasPrefix "[" .)) -}}[{{ . }}]{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* The keys of the configuration for a state in PostgreSQL; empty without one. */}}
{{- define "graphwarden.stateAddress" -}}
{{- with .Values.state.postgres -}}
{{- if .existingSecret -}}
state_url: {{ printf "postgres://%s@%s/%s" (.username | urlquery) (join "," .hosts) (.database | urlquery) }}
state_password_file: {{ include "graphwarden.secretsFolder" $ }}/{{ .existingSecret }}/{{ .passwordKey }}
{{- with include "graphwarden.clusterTls" .tls | trim }}
state_tls:
  {{- . | nindent 2 }}
{{- else }}
{{- if include "graphwarden.isStateEncrypted" $ }}
state_tls: {}
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Not empty if the connections to PostgreSQL use TLS. */}}
{{- define "graphwarden.isStateEncrypted" -}}
{{- with .Values.state.postgres.tls -}}
{{- if or .existingSecret .serverName (eq (default "" .caKey) "-") -}}yes{{- end -}}
{{- end -}}
{{- end -}}

{{/* Every Secret of the daemon besides those of its clusters. */}}
{{- define "graphwarden.otherSecrets" -}}
{{- $names := default (list) .Values.existingSecrets -}}
{{- with .Values.state.postgres -}}
{{- if .existingSecret -}}{{- $names = concat $names (list .existingSecret) -}}{{- end -}}
{{- with .tls.existingSecret -}}{{- $names = append $names . -}}{{- end -}}
{{- end -}}
{{- toYaml ($names | uniq) -}}
{{- end -}}

{{/* Every Secret that is mounted as a directory, without duplicates. */}}
{{- define "graphwarden.secretNames" -}}
{{- $names := .existing -}}
{{- range .clusters -}}
{{- range list .readAuth .abortAuth .tls -}}
{{- with (default (dict) .).existingSecret -}}{{- $names = append $names . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml ($names | uniq) -}}
{{- end -}}
