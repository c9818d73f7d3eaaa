{{/* The environment of every graphwarden container: pod, node and namespace, also as trace resource attributes. */}}
{{- define "graphwarden.environment" -}}
- name: POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- name: POD_NAMESPACE
  valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- name: NODE_NAME
  valueFrom: { fieldRef: { fieldPath: spec.nodeName } }
- name: OTEL_RESOURCE_ATTRIBUTES
  value: k8s.pod.name=$(POD_NAME),k8s.namespace.name=$(POD_NAMESPACE),k8s.node.name=$(NODE_NAME)
{{- end -}}

{{/* What follows the host in the external URL. The host may be a reference to the environment. */}}
{{- define "graphwarden.externalPath" -}}
{{- regexReplaceAll "^(?i)https?://[^/?#]*" (default "" .Values.config.external_url) "" -}}
{{- end -}}

{{/* Whether a path has a percent sign without two hexadecimal digits, on which urlParse fails. */}}
{{- define "graphwarden.hasInvalidEscape" -}}
{{- if regexMatch "%" (regexReplaceAll "%[0-9A-Fa-f]{2}" . "") -}}true{{- end -}}
{{- end -}}

{{/* Every route begins with the path of the external URL. */}}
{{- define "graphwarden.prefix" -}}
{{- $end := include "graphwarden.externalPath" . -}}
{{- $path := "" -}}
{{- if not (or (contains "${" $end) (include "graphwarden.hasInvalidEscape" $end)) -}}{{- $path = get (urlParse (printf "http://host%s" $end)) "path" -}}{{- end -}}
{{- default $path .Values.existingConfigMap.path | trimSuffix "/" -}}
{{- end -}}

{{/* A probe with its own handler, that of another probe, or the default one. Takes (dict "root" $ "probe" … "other" … "path" …); empty for {}. */}}
{{- define "graphwarden.probe" -}}
{{- if .probe -}}
{{- if include "graphwarden.hasHandler" .probe -}}
{{- else if include "graphwarden.hasHandler" .other -}}
{{ toYaml (pick .other "httpGet" "exec" "tcpSocket" "grpc") }}
{{- else -}}
{{- $prefix := include "graphwarden.prefix" .root -}}
{{- $scheme := include "graphwarden.scheme" .root | upper }}
httpGet:
  path: {{ printf "%s%s" $prefix .path | quote }}
  port: http
  scheme: {{ $scheme | quote }}
{{- end }}
{{ toYaml .probe }}
{{- end -}}
{{- end -}}

{{- define "graphwarden.hasHandler" -}}
{{- if or .httpGet .exec .tcpSocket .grpc -}}yes{{- end -}}
{{- end -}}

{{- define "graphwarden.volumes" -}}
- name: config
  configMap:
    name: {{ include "graphwarden.configMapName" . | quote }}
{{- range include "graphwarden.secretNames" (dict "clusters" (include "graphwarden.daemonClusters" . | fromYamlArray) "existing" (include "graphwarden.otherSecrets" . | fromYamlArray)) | fromYamlArray }}
- name: {{ include "graphwarden.secretVolume" (dict "prefix" "secret-" "secret" .) | quote }}
  secret:
    secretName: {{ . | quote }}
    defaultMode: 288 # 0440: readable by the group of the pod
{{- end }}
{{- with include "graphwarden.webSecret" . }}
- name: web
  secret:
    secretName: {{ . | quote }}
    defaultMode: 288
    {{- if not $.Values.web.existingSecret }}
    items: [{ key: web.yml, path: web.yml }]
    {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end -}}

{{- define "graphwarden.stateVolume" -}}
- name: state
  {{- if and .Values.persistence.enabled (not .Values.state.postgres.existingSecret) }}
  persistentVolumeClaim:
    claimName: {{ default (include "graphwarden.fullname" .) .Values.persistence.existingClaim | quote }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end -}}

{{- define "graphwarden.mounts" -}}
- name: config
  mountPath: {{ include "graphwarden.configFolder" . }}
  readOnly: true
{{- range include "graphwarden.secretNames" (dict "clusters" (include "graphwarden.daemonClusters" . | fromYamlArray) "existing" (include "graphwarden.otherSecrets" . | fromYamlArray)) | fromYamlArray }}
- name: {{ include "graphwarden.secretVolume" (dict "prefix" "secret-" "secret" .) | quote }}
  mountPath: {{ include "graphwarden.secretsFolder" $ }}/{{ . }}
  readOnly: true
{{- end }}
{{- if include "graphwarden.webSecret" . }}
- name: web
  mountPath: {{ include "graphwarden.webFolder" . }}
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ tpl (toYaml .) $ }}
{{- end }}
{{- end -}}

{{/* The fields that the pod of the daemon and the pods of hooks share. */}}
{{- define "graphwarden.podHead" -}}
automountServiceAccountToken: {{ .Values.automountServiceAccountToken }}
enableServiceLinks: false
{{- with include "graphwarden.pullSecrets" . | fromYamlArray }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if kindIs "bool" .Values.hostUsers }}
hostUsers: {{ .Values.hostUsers }}
{{- end }}
{{- range $field := list "priorityClassName" "runtimeClassName" "dnsPolicy" }}
{{- with get $.Values $field }}
{{ $field }}: {{ . | quote }}
{{- end }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" "affinity" "dnsConfig" "hostAliases" }}
{{- with get $.Values $field }}
{{ $field }}:
  {{- tpl (toYaml .) $ | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A command that a hook runs with the configuration and the Secrets of the daemon. Takes root, name, args and extraEnv. */}}
{{- define "graphwarden.testContainer" -}}
name: {{ .name | quote }}
image: {{ include "graphwarden.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy | quote }}
args:
  {{- toYaml .args | nindent 2 }}
env:
  {{- include "graphwarden.environment" .root | nindent 2 }}
  {{- with .extraEnv }}
  {{- tpl (toYaml .) $.root | nindent 2 }}
  {{- end }}
{{- with .root.Values.extraEnvFrom }}
envFrom:
  {{- tpl (toYaml .) $.root | nindent 2 }}
{{- end }}
{{- with .root.Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  {{- include "graphwarden.mounts" .root | nindent 2 }}
{{- end -}}
