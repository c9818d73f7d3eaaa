{{/* Checks that the state fits into its volume. */}}
{{- define "graphwarden.storageChecks" -}}
{{- $wrong := list -}}
{{- $persistence := .Values.persistence -}}
{{- $postgres := .Values.state.postgres -}}
{{- if and $postgres.existingSecret (not $postgres.hosts) -}}
{{- $wrong = append $wrong "state.postgres.hosts: there is no server. Name the host of PostgreSQL, such as postgres.db.svc." -}}
{{- end -}}
{{- if and (not $postgres.existingSecret) (or $postgres.hosts $postgres.tls.existingSecret) -}}
{{- $wrong = append $wrong "state.postgres.existingSecret: without it, PostgreSQL would not be used. Name the Secret with the password, or remove state.postgres." -}}
{{- end -}}
{{- if and $postgres.existingSecret $persistence.existingClaim -}}
{{- $wrong = append $wrong "persistence.existingClaim: with state.postgres there is no volume, so it would not be used. Remove the claim. `graphwarden state migrate` moves its state to PostgreSQL." -}}
{{- end -}}
{{- if and $postgres.existingSecret .Values.existingConfigMap.name -}}
{{- $wrong = append $wrong "state.postgres: the chart does not change the configuration of existingConfigMap. Use clusters and config, or remove it." -}}
{{- end -}}
{{- $isOtherKey := not (has (default "ca.crt" $postgres.tls.caKey) (list "ca.crt" "-")) -}}
{{- if and (not $postgres.tls.existingSecret) (or $isOtherKey $postgres.tls.certKey $postgres.tls.keyKey) -}}
{{- $wrong = append $wrong "state.postgres.tls: it names keys of a Secret but no Secret. Name it in state.postgres.tls.existingSecret." -}}
{{- end -}}
{{- if ne (empty $postgres.tls.certKey) (empty $postgres.tls.keyKey) -}}
{{- $wrong = append $wrong "state.postgres.tls: a client certificate needs certKey and keyKey. Name both, or none." -}}
{{- end -}}
{{- if and .Values.networkPolicy.enabled .Values.networkPolicy.restrictEgress $postgres.existingSecret (not $postgres.podLabels) (not .Values.networkPolicy.extraEgress) -}}
{{- $wrong = append $wrong "state.postgres.podLabels: networkPolicy.restrictEgress would block the daemon from PostgreSQL. Set it to the labels of its pods, or allow the connection in networkPolicy.extraEgress." -}}
{{- end -}}
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
{{- if and $persistence.enabled (not $persistence.existingClaim) (not $postgres.existingSecret) -}}
{{- $claim := include "graphwarden.quantity" $persistence.size -}}
{{- if not $claim -}}
{{- $wrong = append $wrong (printf "persistence.size: %s is not a valid Kubernetes quantity. Write it as 4Gi." $persistence.size) -}}
{{- else if lt (float64 $claim) 104857600.0 -}}
{{- $wrong = append $wrong (printf "persistence.size: %s is too small for the state. Raise it to 100Mi or more." $persistence.size) -}}
{{- else if and $size (gt (mulf 2 (include "graphwarden.bytes" $size | float64)) (float64 $claim)) -}}
{{- $wrong = append $wrong (printf "persistence.size: the state may take %s, a migration needs the same for a copy, and the claim has %s. Raise it, or lower config.state.retention.size." $size $persistence.size) -}}
{{- end -}}
{{- if not $persistence.accessModes -}}
{{- $wrong = append $wrong "persistence.accessModes: a claim requires one. Remove it for ReadWriteOnce." -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
