{{- define "graphwarden.metricsPath" -}}
{{- include "graphwarden.prefix" . }}/metrics
{{- end -}}

{{/* The fields of a monitor except its endpoints. Takes (dict "monitor" …). */}}
{{- define "graphwarden.monitorHead" -}}
{{- with .sampleLimit }}
sampleLimit: {{ int64 . }}
{{- end }}
{{- with .scrapeProtocols }}
scrapeProtocols:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* One endpoint of a monitor. Takes (dict "root" $ "monitor" … "port" … "path" … "scheme" … "isSecured" …). */}}
{{- define "graphwarden.endpoint" -}}
port: {{ .port }}
path: {{ .path | quote }}
scheme: {{ .scheme | quote }}
interval: {{ .monitor.interval | quote }}
scrapeTimeout: {{ .monitor.scrapeTimeout | quote }}
# Keeps graphwarden's labels if a scraper attaches labels named node or cluster_name.
honorLabels: {{ .monitor.honorLabels }}
relabelings:
  - targetLabel: job
    replacement: {{ .monitor.job | quote }}
  {{- with .monitor.relabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with include "graphwarden.monitorAuth" . }}
{{ . }}
{{- end }}
{{- range $field := list "metricRelabelings" "tlsConfig" "basicAuth" "authorization" }}
{{- with get $.monitor $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
