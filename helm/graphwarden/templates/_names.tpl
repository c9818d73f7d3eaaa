{{- define "graphwarden.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The Service has this name, which has at most 63 characters. A suffix of other objects needs some of them. */}}
{{- define "graphwarden.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $own := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- include "graphwarden.shortened" (dict "name" (default $own .Values.fullnameOverride) "length" 50) -}}
{{- end -}}

{{/* A name of limited length. A longer one ends with a part of its digest, so that two that begin alike differ. */}}
{{- define "graphwarden.shortened" -}}
{{- if le (len .name) (int .length) -}}
{{- .name | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (trunc (int (sub .length 9)) .name | trimSuffix "-") (sha256sum .name | trunc 8) -}}
{{- end -}}
{{- end -}}

{{/* The volume of a Secret. A volume name is at most 63 characters long and has no dots. Takes prefix and secret. */}}
{{- define "graphwarden.secretVolume" -}}
{{- if contains "." .secret -}}
{{- printf "%s%s-%s" .prefix (.secret | replace "." "-" | trunc 30 | trimSuffix "-") (sha256sum .secret | trunc 8) -}}
{{- else -}}
{{- printf "%s%s" .prefix (include "graphwarden.shortened" (dict "name" .secret "length" 44)) -}}
{{- end -}}
{{- end -}}

{{- define "graphwarden.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{/* Never changes within a release, because the selector of a Deployment is immutable. */}}
{{- define "graphwarden.selectorLabels" -}}
app.kubernetes.io/name: {{ include "graphwarden.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "graphwarden.daemonLabels" -}}
{{ include "graphwarden.selectorLabels" . }}
app.kubernetes.io/component: daemon
{{- end -}}

{{- define "graphwarden.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "graphwarden.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: graphwarden
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* metadata of an object. Takes (dict "root" $ "name" …), and "namespace", "labels", "annotations" if they differ. */}}
{{- define "graphwarden.metadata" -}}
{{- $annotations := merge (dict) (default (dict) .annotations) (default (dict) .root.Values.commonAnnotations) -}}
{{- $labels := merge (dict) (default (dict) .labels) (include "graphwarden.labels" .root | fromYaml) -}}
name: {{ .name | quote }}
namespace: {{ default (include "graphwarden.namespace" .root) .namespace | quote }}
labels:
  {{- toYaml $labels | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "graphwarden.image" -}}
{{- $image := .Values.image -}}
{{- $name := printf "%s/%s" (default $image.registry .Values.global.imageRegistry) $image.repository | trimPrefix "/" -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $name $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (default .Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "graphwarden.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "graphwarden.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The Service is created if another object needs it. */}}
{{- define "graphwarden.hasService" -}}
{{- if or .Values.service.enabled .Values.serviceMonitor.enabled .Values.ingress.enabled .Values.route.enabled -}}yes{{- end -}}
{{- end -}}

{{/* Not empty if clients outside of the Kubernetes cluster can connect. */}}
{{- define "graphwarden.isExposed" -}}
{{- if or .Values.ingress.enabled .Values.route.enabled (and (include "graphwarden.hasService" .) (ne .Values.service.type "ClusterIP")) -}}yes{{- end -}}
{{- end -}}

{{- define "graphwarden.scheme" -}}
{{- if .Values.web.existingSecret -}}{{ .Values.web.scheme }}{{- else -}}http{{- end -}}
{{- end -}}

{{/* The name of a cluster in a form that is valid in object names. */}}
{{- define "graphwarden.clusterSlug" -}}
{{- regexReplaceAll "-+$" (.name | lower | replace "_" "-" | replace "." "-") "" -}}
{{- end -}}

{{/* The pull secrets of the pods as a list: those of a parent chart, some of which name a Secret by a string, and own ones. */}}
{{- define "graphwarden.pullSecrets" -}}
{{- $secrets := list -}}
{{- range concat (default (list) .Values.global.imagePullSecrets) (default (list) .Values.imagePullSecrets) -}}
{{- $secrets = append $secrets (ternary . (dict "name" .) (kindIs "map" .)) -}}
{{- end -}}
{{- toYaml ($secrets | uniq) -}}
{{- end -}}
