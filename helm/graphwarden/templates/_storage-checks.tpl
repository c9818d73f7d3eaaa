{{/* Checks that the state fits into its volume. */}}
{{- define "graphwarden.storageChecks" -}}
{{- $wrong := list -}}
{{- $persistence := .Values.persistence -}}
{{- if and (not $persistence.enabled) $persistence.existingClaim -}}
{{- $wrong = append $wrong "persistence.existingClaim: it would not be used. Set persistence.enabled to true, or remove the claim." -}}
{{- end -}}
{{- $size := dig "state" "retention" "size" "" .Values.config -}}
{{- $limit := toString (default "" (get (default (dict) (default (dict) .Values.resources).limits) "ephemeral-storage")) -}}
{{- if and (not $persistence.enabled) $size $limit -}}
{{- if gt (mul 2 (int64 (include "graphwarden.bytes" $size))) (int64 (include "graphwarden.bytes" $limit)) -}}
{{- $wrong = append $wrong (printf "config.state.retention.size: without persistence, the state counts towards the ephemeral-storage limit of the pod (%s), and %s is more than half of that. Set persistence.enabled to true, lower the size, or raise resources.limits.ephemeral-storage." $limit $size) -}}
{{- end -}}
{{- end -}}
{{- if and $persistence.enabled (not $persistence.existingClaim) -}}
{{- $claim := include "graphwarden.quantity" $persistence.size -}}
{{- $kept := default "2GiB" $size -}}
{{- if not $claim -}}
{{- $wrong = append $wrong (printf "persistence.size: %s is not a valid Kubernetes quantity. Write it as 4Gi." $persistence.size) -}}
{{- else if gt (include "graphwarden.bytes" $kept | float64) (float64 $claim) -}}
{{- $wrong = append $wrong (printf "persistence.size: the state may take %s, and the claim has %s. Raise it, or lower config.state.retention.size." $kept $persistence.size) -}}
{{- end -}}
{{- if not $persistence.accessModes -}}
{{- $wrong = append $wrong "persistence.accessModes: a claim requires one. Remove it for ReadWriteOnce." -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
