{{/* The rules of a group with the values applied. Takes (dict "rules" … "values" .Values.prometheusRule "grafana" URL). */}}
{{- define "graphwarden.rules" -}}
{{- $wanted := list -}}
{{- range .rules -}}
{{- if not (has (default "" .alert) (default (list) $.values.disabled)) -}}
{{- $rule := set . "expr" (include "graphwarden.filled" (dict "expr" .expr "thresholds" $.values.thresholds)) -}}
{{- if .alert -}}
{{- $own := default (dict) (get (default (dict) $.values.alerts) .alert) -}}
{{- range $key, $said := dict "for" $own.for "keep_firing_for" $own.keepFiringFor -}}
{{- if $said -}}{{- $_ := set $rule $key $said -}}{{- end -}}
{{- end -}}
{{- $labels := merge (dict) (default (dict) $.values.alertLabels) .labels -}}
{{- if $own.severity -}}{{- $_ := set $labels "severity" $own.severity -}}{{- end -}}
{{- $_ := set $rule "labels" $labels -}}
{{- if $.grafana -}}
{{- $_ := set .annotations "dashboard_url" (replace "http://localhost:3000" (trimSuffix "/" $.grafana) .annotations.dashboard_url) -}}
{{- else -}}
{{- $_ := unset .annotations "dashboard_url" -}}
{{- end -}}
{{- end -}}
{{- $wanted = append $wanted $rule -}}
{{- end -}}
{{- end -}}
{{- toYaml $wanted -}}
{{- end -}}

{{/* An expression with its thresholds filled in. Placeholder: @rule.threshold@. */}}
{{- define "graphwarden.filled" -}}
{{- $expr := .expr -}}
{{- range $rule, $thresholds := ternary .thresholds (dict) (contains "@" $expr) -}}
{{- range $name, $value := $thresholds -}}
{{- $number := ternary (printf "%d" (int64 $value)) (toString $value) (eq (float64 (int64 $value)) (float64 $value)) -}}
{{- $expr = replace (printf "@%s.%s@" $rule $name) $number $expr -}}
{{- end -}}
{{- end -}}
{{- $expr -}}
{{- end -}}

{{/* Names of all alerts that the chart ships. */}}
{{- define "graphwarden.alertNames" -}}
{{- $names := list -}}
{{- range $path, $_ := .Files.Glob "files/rules/*.yaml" -}}
{{- range ($.Files.Get $path | fromYaml).groups -}}
{{- range .rules -}}{{- with .alert -}}{{- $names = append $names . -}}{{- end -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml ($names | uniq) -}}
{{- end -}}

{{- define "graphwarden.ruleChecks" -}}
{{- $wrong := list -}}
{{- with concat (default (list) .Values.prometheusRule.disabled) (keys (default (dict) .Values.prometheusRule.alerts) | sortAlpha) | uniq -}}
{{- $known := include "graphwarden.alertNames" $ | fromYamlArray -}}
{{- range . -}}
{{- if not (has . $known) -}}
{{- $wrong = append $wrong (printf "prometheusRule: there is no alert %s. Names are in files/rules of the chart and in docs/runbook.md." .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
