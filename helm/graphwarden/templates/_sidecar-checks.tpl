{{- define "graphwarden.sidecarChecks" -}}
{{- $wrong := list -}}
{{- $sidecar := .Values.sidecar -}}
{{- if and (eq $sidecar.kind "native") (not (semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version)) -}}
{{- $wrong = append $wrong (printf "sidecar.kind: Kubernetes %s knows no native sidecars, and would wait for this one for ever before it starts the database. Set it to container or auto." .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if .Values.config.guard -}}
{{- $wrong = append $wrong "config.guard: in sidecar mode it is the sidecars that see queries and abort them. Move it to sidecar.config.guard." -}}
{{- end -}}
{{- $guard := toJson (default (dict) $sidecar.config.guard) -}}
{{- range $key := list "per_cluster" "node_memory" "node_cpu" -}}
{{- if contains (printf "%q:" $key) $guard -}}
{{- $wrong = append $wrong (printf "sidecar.config.guard: a sidecar knows its own node alone, so %s cannot be kept. Remove it, or use mode: deployment." $key) -}}
{{- end -}}
{{- end -}}
{{- range (default (dict) $sidecar.config.guard).policies -}}
{{- if .notify -}}
{{- $wrong = append $wrong (printf "sidecar.config.guard: policy %s has notify, and sidecars tell nobody. Remove it: the rules of prometheusRule page for aborts." .name) -}}
{{- end -}}
{{- end -}}
{{- $ports := list 9000 9166 9167 10022 14240 -}}
{{- range .Values.clusters -}}
{{- $ports = append $ports (int (default 14240 (default (dict) .service).port)) -}}
{{- if and $.Values.podMonitor.enabled (not .podLabels) -}}
{{- $wrong = append $wrong (printf "podMonitor.enabled: it would not find the sidecars of %s. Say the labels of its pods in clusters[].podLabels." .name) -}}
{{- end -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.loopbackChecks" . | fromYamlArray) -}}
{{- if has (int $sidecar.port) $ports -}}
{{- $wrong = append $wrong (printf "sidecar.port: %v is a port of the database, in whose network the sidecar is. Choose another, such as 9916." $sidecar.port) -}}
{{- end -}}
{{- if regexMatch "^(127[.]|localhost$|\\[?::1\\]?$)" $sidecar.listenAddress -}}
{{- $wrong = append $wrong "sidecar.listenAddress: Prometheus comes from outside the pod, and would not reach it there. Remove it, or set it to \"[${POD_IP}]\" for IPv6." -}}
{{- end -}}
{{- if not (regexMatch "^([0-9]+([.][0-9]+)?\\s?([KMGT]i?)?B|.*\\$\\{.+\\}.*)$" $sidecar.stateSize) -}}
{{- $wrong = append $wrong (printf "sidecar.stateSize: %s is no size that the sidecar knows, and it would not start. Write it as 128MiB." $sidecar.stateSize) -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.resourceChecks" (dict "name" "sidecar.resources" "resources" $sidecar.resources) | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.qosChecks" . | fromYamlArray) -}}
{{- concat $wrong (include "graphwarden.startChecks" . | fromYamlArray) | toYaml -}}
{{- end -}}

{{/* The class of a pod follows from all its containers: ours must fit. */}}
{{- define "graphwarden.qosChecks" -}}
{{- $wrong := list -}}
{{- $sidecar := .Values.sidecar -}}
{{- $requests := default (dict) (default (dict) $sidecar.resources).requests -}}
{{- $limits := default (dict) (default (dict) $sidecar.resources).limits -}}
{{- if eq $sidecar.databaseQos "Guaranteed" -}}
{{- range $kind := list "cpu" "memory" -}}
{{- $limit := toString (default "" (get $limits $kind)) -}}
{{- if or (eq $limit "") (ne $limit (toString (default $limit (get $requests $kind)))) -}}
{{- $wrong = append $wrong (printf "sidecar.resources: the pods of the database would no longer be Guaranteed. Let requests.%s equal limits.%s, or say in sidecar.databaseQos what they are." $kind $kind) -}}
{{- end -}}
{{- end -}}
{{- else if and (eq $sidecar.databaseQos "BestEffort") (or $requests $limits) -}}
{{- $wrong = append $wrong "sidecar.resources: the pods of the database would no longer be BestEffort. Set sidecar.resources.requests and sidecar.resources.limits to null, or say in sidecar.databaseQos what they are." -}}
{{- end -}}
{{- range $side, $given := dict "requests" $requests "limits" $limits -}}
{{- if hasKey $given "ephemeral-storage" -}}
{{- if eq $side "limits" -}}
{{- $wrong = append $wrong "sidecar.resources.limits: a sidecar beyond its ephemeral-storage evicts the whole pod, the database with it. Remove that limit; sidecar.stateSize bounds the state." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* What has to be there, or attached, before a pod starts would keep the database from starting. */}}
{{- define "graphwarden.startChecks" -}}
{{- $wrong := list -}}
{{- $sidecar := .Values.sidecar -}}
{{- with $sidecar.stateVolume -}}
{{- if ne (toJson .) (toJson (dict "emptyDir" (dict))) -}}
{{- $wrong = append $wrong "sidecar.stateVolume: a claim keeps pods of the database from starting while it is missing or attached elsewhere, an emptyDir with a sizeLimit evicts them, and one of medium Memory counts as theirs. Remove it; for a state that outlives the pod, name one of the volumeClaimTemplates of the database in sidecar.stateVolumeName." -}}
{{- end -}}
{{- if $sidecar.stateVolumeName -}}
{{- $wrong = append $wrong "sidecar.stateVolume: the state has a volume already. Remove stateVolume or stateVolumeName." -}}
{{- end -}}
{{- end -}}
{{- range $sidecar.extraVolumes -}}
{{- if ne (include "graphwarden.isHarmless" (omit . "name")) "true" -}}
{{- $wrong = append $wrong (printf "sidecar.extraVolumes: %s has to be there before the database starts. Let it be a configMap or a secret with optional: true, a projection of such, or an emptyDir without sizeLimit; volumes that the pod has anyway can be mounted without it." (default "a volume" .name)) -}}
{{- end -}}
{{- end -}}
{{- range $env := $sidecar.extraEnv -}}
{{- range $from := list "secretKeyRef" "configMapKeyRef" -}}
{{- with get (default (dict) $env.valueFrom) $from -}}
{{- if not .optional -}}
{{- $wrong = append $wrong (printf "sidecar.extraEnv: without the %s of %s the container would not start, and its pod not get ready. Say optional: true there." $from $env.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $handler := list "httpGet" "exec" "tcpSocket" "grpc" -}}
{{- if hasKey (default (dict) $sidecar.livenessProbe) $handler -}}
{{- $wrong = append $wrong (printf "sidecar.livenessProbe: its handler is /-/healthy of the sidecar itself; any other might end it with the database. Remove %s." $handler) -}}
{{- end -}}
{{- end -}}
{{- range $sidecar.extraArgs -}}
{{- if not (hasPrefix "--config=" .) -}}
{{- $wrong = append $wrong (printf "sidecar.extraArgs: %s is no argument that a sidecar knows; it would end over and over. Remove it: there is --config=FILE alone." .) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* "true" for the source of a volume that no pod has to wait for. */}}
{{- define "graphwarden.isHarmless" -}}
{{- $harmless := eq (len .) 1 -}}
{{- range $kind, $source := . -}}
{{- if eq $kind "emptyDir" -}}
{{- $harmless = and $harmless (not $source) -}}
{{- else if eq $kind "projected" -}}
{{- range $part := default (list) $source.sources -}}
{{- $harmless = and $harmless (eq (include "graphwarden.isHarmless" $part) "true") -}}
{{- end -}}
{{- else if has $kind (list "secret" "configMap") -}}
{{- $harmless = and $harmless (eq (toString $source.optional) "true") -}}
{{- else if not (has $kind (list "downwardAPI" "serviceAccountToken")) -}}
{{- $harmless = false -}}
{{- end -}}
{{- end -}}
{{- $harmless -}}
{{- end -}}

{{/* A sidecar speaks to its node over loopback, by scheme and port of the service: these have to be those of the nodes. */}}
{{- define "graphwarden.loopbackChecks" -}}
{{- $wrong := list -}}
{{- range $cluster := .Values.clusters -}}
{{- $service := default (dict) .service -}}
{{- $scheme := default "http" $service.scheme -}}
{{- $port := toString (default 14240 $service.port) -}}
{{- $tls := default (dict) .tls -}}
{{- range $node := .nodes -}}
{{- $url := toString $node.url -}}
{{- $other := default $port (include "graphwarden.portOf" $url) -}}
{{- if or (and (regexMatch "^https?://" $url) (not (hasPrefix (printf "%s://" $scheme) $url))) (ne $other $port) -}}
{{- $wrong = append $wrong (printf "clusters: the sidecars of %s would ask %s://127.0.0.1:%s, but its node %s is at %s. Say service.scheme and service.port of what the nodes listen on." $cluster.name $scheme $port $node.name $url) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $scheme "https") (not $tls.serverName) (not $tls.insecureSkipVerify) -}}
{{- $wrong = append $wrong (printf "clusters: the sidecars of %s speak https to 127.0.0.1, for which there is no certificate. Say in tls.serverName which name is in that of the nodes." .name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
