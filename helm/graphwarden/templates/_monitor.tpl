{{- define "graphwarden.metricsPath" -}}
{{- include "graphwarden.prefix" . }}/metrics
{{- end -}}

{{/* What a monitor says besides its endpoints. Takes (dict "monitor" …). */}}
{{- define "graphwarden.monitorHead" -}}
{{- with .sampleLimit }}
sampleLimit: {{ . }}
{{- end }}
{{- with .scrapeProtocols }}
scrapeProtocols:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* One endpoint of a monitor. Takes (dict "monitor" … "port" … "path" … "scheme" …). */}}
{{- define "graphwarden.endpoint" -}}
port: {{ .port }}
path: {{ .path }}
scheme: {{ .scheme }}
interval: {{ .monitor.interval }}
scrapeTimeout: {{ .monitor.scrapeTimeout }}
# Where a scraper attaches labels called node or cluster_name, ours stay what they are.
honorLabels: {{ .monitor.honorLabels }}
relabelings:
  - targetLabel: job
    replacement: {{ .monitor.job }}
  {{- with .monitor.relabelings }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- range $field := list "metricRelabelings" "tlsConfig" "basicAuth" "authorization" }}
{{- with get $.monitor $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
