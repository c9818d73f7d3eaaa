{{- define "graphwarden.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Names of sidecar objects end with the name of their cluster, so the prefix is shortened. */}}
{{- define "graphwarden.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "graphwarden.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{/* Never changes within a release, because the selector of a Deployment is immutable. */}}
{{- define "graphwarden.selectorLabels" -}}
app.kubernetes.io/name: {{ include "graphwarden.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
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
{{- $labels := merge (default (dict) .labels) (include "graphwarden.labels" .root | fromYaml) -}}
name: {{ .name }}
namespace: {{ default (include "graphwarden.namespace" .root) .namespace }}
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

{{- define "graphwarden.scheme" -}}
{{- if .Values.web.existingSecret -}}{{ .Values.web.scheme }}{{- else -}}http{{- end -}}
{{- end -}}

{{/* The name of a cluster in a form that is valid in object names. */}}
{{- define "graphwarden.clusterSlug" -}}
{{- .name | lower | replace "_" "-" | replace "." "-" | trunc 12 | trimSuffix "-" -}}
{{- end -}}
