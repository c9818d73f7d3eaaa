{{/* Rejects invalid values: all problems at once, each with a remedy. */}}
{{- define "graphwarden.checks" -}}
{{- $wrong := list -}}
{{- if eq (toString (get .Values "enabled")) "false" -}}
{{- $wrong = append $wrong "enabled: only the condition of a parent chart reads it. Remove it, or uninstall the release." -}}
{{- end -}}
{{- if gt (int .Values.replicaCount) 1 -}}
{{- if eq .Values.mode "sidecar" -}}
{{- $wrong = append $wrong "replicaCount: in sidecar mode there is one sidecar in each pod of the database and one daemon for the cluster. Remove replicaCount; the replicas of the database decide how many sidecars there are." -}}
{{- else if not .Values.state.postgres.existingSecret -}}
{{- $wrong = append $wrong "replicaCount: a state in a volume has one daemon: two daemons would not share their budgets. Set it to 1, or keep the state in PostgreSQL: name the Secret with its password in state.postgres.existingSecret. For a second cluster, add it to clusters or install a second release." -}}
{{- end -}}
{{- end -}}
{{- if gt (int .Values.sidecar.replicas) 0 -}}
{{- $wrong = append $wrong "sidecar.replicas: there is one sidecar in each pod of the database. Remove it, and scale the database." -}}
{{- end -}}
{{- if .Values.autoscaling.enabled -}}
{{- $wrong = append $wrong "autoscaling.enabled: the number of clusters decides the load, not their queries, so scaling out does not help. Set it to false; verticalPodAutoscaler.enabled adjusts its resources." -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.configChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.storageChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.daemonChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.secretChecks" . | fromYamlArray) -}}
{{- if not .Values.existingConfigMap.name -}}
{{- $wrong = concat $wrong (include "graphwarden.clusterChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.referenceChecks" . | fromYamlArray) -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.monitorChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.serviceChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.networkChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.filterChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.duplicateChecks" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.ruleChecks" . | fromYamlArray) -}}
{{- if eq .Values.mode "sidecar" -}}
{{- $wrong = concat $wrong (include "graphwarden.sidecarChecks" . | fromYamlArray) -}}
{{- end -}}
{{- if $wrong -}}
{{- fail (printf "\n\nInvalid values:\n- %s\n" (join "\n- " $wrong)) -}}
{{- end -}}
{{- end -}}

{{- define "graphwarden.configChecks" -}}
{{- $wrong := list -}}
{{- $isExisting := ne .Values.existingConfigMap.name "" -}}
{{- $isDefault := eq (toJson .Values.clusters) (toJson (list (dict "name" "graph"))) -}}
{{- if and $isExisting (or .Values.config (not $isDefault)) -}}
{{- $wrong = append $wrong "existingConfigMap.name: the configuration is given twice. Remove config and clusters, or remove existingConfigMap and let the chart write the file. Name the Secrets for your own file in existingSecrets." -}}
{{- end -}}
{{- if and $isExisting (eq .Values.mode "sidecar") -}}
{{- $wrong = append $wrong "existingConfigMap.name: in sidecar mode the chart writes one file for the cluster and one for its nodes. Remove it, and use clusters, config and sidecar.config." -}}
{{- end -}}
{{- if and $isExisting .Values.networkPolicy.enabled .Values.networkPolicy.restrictEgress (not .Values.networkPolicy.extraEgress) -}}
{{- $wrong = append $wrong "existingConfigMap.name: the chart does not know the addresses of the clusters in it, and networkPolicy.restrictEgress would block them. Allow them in networkPolicy.extraEgress, or set restrictEgress to false." -}}
{{- end -}}
{{- if and (not $isExisting) (not .Values.clusters) -}}
{{- $wrong = append $wrong "clusters: there is no cluster to monitor. Name at least one cluster, or a ConfigMap with a complete configuration in existingConfigMap.name." -}}
{{- end -}}
{{- if and .Values.dashboards.grafanaOperator.enabled .Values.dashboards.enabled -}}
{{- $wrong = append $wrong "dashboards: every dashboard would be there twice. Enable dashboards.enabled or dashboards.grafanaOperator.enabled, not both." -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* The configuration is in a ConfigMap and in the release, so it must not contain a secret. Every secret can come from a file. */}}
{{- define "graphwarden.secretChecks" -}}
{{- $wrong := list -}}
{{- range $receiver := (default (dict) .Values.config.alerts).receivers -}}
{{- range include "graphwarden.receiverSecrets" $ | fromYamlArray -}}
{{- $key := join "." .path -}}
{{- if include "graphwarden.isReadableSecret" (include "graphwarden.receiverValue" (dict "receiver" $receiver "kind" .kind "path" .path)) -}}
{{- $wrong = append $wrong (printf "config.alerts.receivers: the %s of %s would be readable in a ConfigMap. Put it into a Secret, name the Secret in existingSecrets, and set %s_file: %s/SECRET/KEY; or use ${NAME} and define NAME with extraEnvFrom." $key $receiver.name $key (include "graphwarden.secretsFolder" $)) -}}
{{- end -}}
{{- end -}}
{{- range $kind, $section := omit $receiver "name" "heartbeat" -}}
{{- if kindIs "map" $section -}}
{{- range $header, $given := default (dict) (default (dict) $section.http_config).http_headers -}}
{{- range default (list) (default (dict) $given).secrets -}}
{{- if include "graphwarden.isReadableSecret" (toString .) -}}
{{- $wrong = append $wrong (printf "config.alerts.receivers: a secret of the header %s of %s would be readable in a ConfigMap. Put it into a Secret, name the Secret in existingSecrets, and set files: [%s/SECRET/KEY]; or use ${NAME} and define NAME with extraEnvFrom." $header $receiver.name (include "graphwarden.secretsFolder" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range include "graphwarden.receiverUrls" $ | fromYamlArray -}}
{{- $key := join "." .path -}}
{{- if include "graphwarden.looksSecret" (include "graphwarden.receiverValue" (dict "receiver" $receiver "kind" .kind "path" .path)) -}}
{{- $wrong = append $wrong (printf "config.alerts.receivers: the %s of %s has what looks like a token in its path, and would be readable in a ConfigMap. Put it into a Secret, name the Secret in existingSecrets, and set %s_file: %s/SECRET/KEY." $key $receiver.name $key (include "graphwarden.secretsFolder" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* The text at a path of a receiver; empty without one. */}}
{{- define "graphwarden.receiverValue" -}}
{{- $value := get .receiver .kind -}}
{{- range .path -}}
{{- $value = ternary (get (ternary $value (dict) (kindIs "map" $value)) .) "" (kindIs "map" $value) -}}
{{- end -}}
{{- toString (default "" $value) -}}
{{- end -}}

{{/* Not empty if a text is a secret that is written out, rather than a reference to an environment variable. */}}
{{- define "graphwarden.isReadableSecret" -}}
{{- if and . (not (regexMatch "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" .)) -}}yes{{- end -}}
{{- end -}}

{{/* Not empty if a path segment is long and has a digit: a token, or the id of a heartbeat check, which is equivalent. */}}
{{- define "graphwarden.looksSecret" -}}
{{- if regexMatch "^https?://" . -}}
{{- range rest (regexReplaceAll "^https?://" . "" | splitList "/") -}}
{{- if and (regexMatch "^[A-Za-z0-9_.~-]{16,}$" .) (regexMatch "[0-9]" .) -}}yes{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "graphwarden.clusterChecks" -}}
{{- $wrong := list -}}
{{- $guard := default (dict) (ternary .Values.sidecar.config .Values.config (eq .Values.mode "sidecar")).guard -}}
{{- $names := list -}}
{{- range $cluster := .Values.clusters -}}
{{- $abort := default (dict) .abortAuth -}}
{{- if and (eq (default "observe" $guard.mode) "enforce") (not .anonymous) (not $abort.existingSecret) -}}
{{- $wrong = append $wrong (printf "clusters: %s has no abortAuth.existingSecret, and guard.mode is enforce: no abort would be allowed. Name a Secret with the credential for aborts, set guard.mode to observe, or set anonymous: true if authentication is off in the server." .name) -}}
{{- end -}}
{{- range $at, $auth := dict "readAuth" .readAuth "abortAuth" .abortAuth -}}
{{- if and $auth (eq (default "" (default (dict) $auth).kind) "basic") (not $auth.username) -}}
{{- $wrong = append $wrong (printf "clusters: %s of %s has kind basic and no username. Name the user; its password is in the Secret." $at $cluster.name) -}}
{{- end -}}
{{- end -}}
{{- range $key := list "name" "portName" "refreshInterval" -}}
{{- if and $cluster.nodes (get (default (dict) $cluster.service) $key) -}}
{{- $wrong = append $wrong (printf "clusters: %s has nodes and service.%s. Keep the service, which discovers the nodes, or the list. Port, scheme and namespace are allowed with both." $cluster.name $key) -}}
{{- end -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.halfChecks" (dict "cluster" . "mode" $.Values.mode) | fromYamlArray) -}}
{{- $slug := include "graphwarden.clusterSlug" . -}}
{{- if has $slug $names -}}
{{- $wrong = append $wrong (printf "clusters: two of them have the name %s, or names that differ only in capitals, dots, underscores and dashes. Give them names that differ." .name) -}}
{{- end -}}
{{- $names = append $names $slug -}}
{{- if ne $.Values.mode "sidecar" -}}
{{- $wrong = concat $wrong (include "graphwarden.hostChecks" (dict "cluster" . "guard" $guard) | fromYamlArray) -}}
{{- end -}}
{{- if and $.Values.networkPolicy.enabled $.Values.networkPolicy.restrictEgress (not .podLabels) (not (and .nodes $.Values.networkPolicy.extraEgress)) -}}
{{- $wrong = append $wrong (printf "clusters: networkPolicy.restrictEgress would block the daemon from %s. Set its podLabels, or set restrictEgress to false. If its nodes are outside of Kubernetes, list them in nodes, and allow them in networkPolicy.extraEgress." .name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* Discovered nodes have no host_id, so a gate on host metrics never opens on them. */}}
{{- define "graphwarden.hostChecks" -}}
{{- $wrong := list -}}
{{- $cluster := .cluster -}}
{{- $isKnown := contains "\"host_id\":" (toJson (default (list) .cluster.nodes)) -}}
{{- range $policy := ternary (default (list) .guard.policies) (list) (and (eq (default "observe" .guard.mode) "enforce") (not $isKnown)) -}}
{{- $isMeant := or (not .clusters) (has $cluster.name (default (list) .clusters)) -}}
{{- $gate := default (dict) .gate -}}
{{- $never := false -}}
{{- range $gate.all -}}{{- if or .node_memory .node_cpu -}}{{- $never = true -}}{{- end -}}{{- end -}}
{{- $open := list -}}
{{- range $gate.any -}}{{- if not (or .node_memory .node_cpu) -}}{{- $open = append $open . -}}{{- end -}}{{- end -}}
{{- if and $gate.any (not $open) -}}{{- $never = true -}}{{- end -}}
{{- if and $isMeant $never (eq (default "observe" .mode) "enforce") -}}
{{- $wrong = append $wrong (printf "clusters: the gate of the policy %s never opens in %s: no node has a host_id, and discovered nodes never have one. List clusters[].nodes with the host ids of the server, or gate on queue_depth or queue_oldest." $policy.name $cluster.name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
