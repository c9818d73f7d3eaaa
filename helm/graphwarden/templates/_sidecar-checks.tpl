{{- define "graphwarden.sidecarChecks" -}}
{{- $wrong := list -}}
{{- $sidecar := .Values.sidecar -}}
{{- if and (eq $sidecar.kind "native") (not (semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version)) -}}
{{- $wrong = append $wrong (printf "sidecar.kind: Kubernetes %s knows no native sidecars and would never start the database after this init container. Set it to container or auto." .Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- if .Values.config.guard -}}
{{- $wrong = append $wrong "config.guard: in sidecar mode, only the sidecars list and abort queries. Move it to sidecar.config.guard." -}}
{{- end -}}
{{- $guard := toJson (default (dict) $sidecar.config.guard) -}}
{{- range $key := list "per_cluster" "node_memory" "node_cpu" -}}
{{- if contains (printf "%q:" $key) $guard -}}
{{- $wrong = append $wrong (printf "sidecar.config.guard: a sidecar knows its own node only, so %s cannot be kept. Remove it, or use mode: deployment." $key) -}}
{{- end -}}
{{- end -}}
{{- range (default (dict) $sidecar.config.guard).policies -}}
{{- if .notify -}}
{{- $wrong = append $wrong (printf "sidecar.config.guard: policy %s has notify, but sidecars send no notifications. Remove it; the rules of prometheusRule page for aborts." .name) -}}
{{- end -}}
{{- end -}}
{{- $ports := list 9000 9166 9167 10022 14240 -}}
{{- range .Values.clusters -}}
{{- $ports = append $ports (int (default 14240 (default (dict) .service).port)) -}}
{{- if and $.Values.podMonitor.enabled (not .podLabels) -}}
{{- $wrong = append $wrong (printf "podMonitor.enabled: it would not select the sidecars of %s. Set clusters[].podLabels to the labels of its pods." .name) -}}
{{- end -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.loopbackChecks" . | fromYamlArray) -}}
{{- if has (int $sidecar.port) $ports -}}
{{- $wrong = append $wrong (printf "sidecar.port: %v is a port of the database, which shares its network namespace with the sidecar. Choose another, such as 9916." $sidecar.port) -}}
{{- end -}}
{{- if include "graphwarden.isLoopback" $sidecar.listenAddress -}}
{{- $wrong = append $wrong "sidecar.listenAddress: Prometheus connects from outside the pod and would not reach it there. Remove it." -}}
{{- end -}}
{{- if not (regexMatch "^([0-9]+([.][0-9]+)?\\s?([KMGT]i?)?B|.*\\$\\{.+\\}.*)$" $sidecar.stateSize) -}}
{{- $wrong = append $wrong (printf "sidecar.stateSize: %s is not a valid size, so the sidecar would not start. Write it as 128MiB." $sidecar.stateSize) -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.resourceChecks" (dict "name" "sidecar.resources" "resources" $sidecar.resources) | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.qosChecks" . | fromYamlArray) -}}
{{- concat $wrong (include "graphwarden.startChecks" . | fromYamlArray) | toYaml -}}
{{- end -}}

{{/* The QoS class of a pod depends on all its containers, so the sidecar must match it. */}}
{{- define "graphwarden.qosChecks" -}}
{{- $wrong := list -}}
{{- $sidecar := .Values.sidecar -}}
{{- $requests := default (dict) (default (dict) $sidecar.resources).requests -}}
{{- $limits := default (dict) (default (dict) $sidecar.resources).limits -}}
{{- if eq $sidecar.databaseQos "Guaranteed" -}}
{{- range $kind := list "cpu" "memory" -}}
{{- $limit := toString (default "" (get $limits $kind)) -}}
{{- if or (eq $limit "") (ne $limit (toString (default $limit (get $requests $kind)))) -}}
{{- $wrong = append $wrong (printf "sidecar.resources: the pods of the database would no longer be Guaranteed. Let requests.%s equal limits.%s, or set sidecar.databaseQos to their class." $kind $kind) -}}
{{- end -}}
{{- end -}}
{{- else if and (eq $sidecar.databaseQos "BestEffort") (or $requests $limits) -}}
{{- $wrong = append $wrong "sidecar.resources: the pods of the database would no longer be BestEffort. Set sidecar.resources.requests and sidecar.resources.limits to null, or set sidecar.databaseQos to their class." -}}
{{- end -}}
{{- range $side, $given := dict "requests" $requests "limits" $limits -}}
{{- if hasKey $given "ephemeral-storage" -}}
{{- if eq $side "limits" -}}
{{- $wrong = append $wrong "sidecar.resources.limits: a sidecar that exceeds its ephemeral-storage evicts the whole pod, including the database. Remove that limit; sidecar.stateSize bounds the state." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* A required object or a volume to attach could keep the database from starting. */}}
{{- define "graphwarden.startChecks" -}}
{{- $wrong := list -}}
{{- $sidecar := .Values.sidecar -}}
{{- with $sidecar.stateVolume -}}
{{- if ne (toJson .) (toJson (dict "emptyDir" (dict))) -}}
{{- $wrong = append $wrong "sidecar.stateVolume: a claim keeps pods of the database from starting while it is missing or attached elsewhere, an emptyDir with a sizeLimit evicts them, and one of medium Memory counts as theirs. Remove it; for a state that outlives the pod, name one of the volumeClaimTemplates of the database in sidecar.stateVolumeName." -}}
{{- end -}}
{{- if $sidecar.stateVolumeName -}}
{{- $wrong = append $wrong "sidecar.stateVolume: the state has a volume already: set only one. Remove stateVolume or stateVolumeName." -}}
{{- end -}}
{{- end -}}
{{- range $sidecar.extraVolumes -}}
{{- if ne (include "graphwarden.isHarmless" (omit . "name")) "true" -}}
{{- $wrong = append $wrong (printf "sidecar.extraVolumes: %s has to be there before the database starts. Use a configMap or a secret with optional: true, a projection of these, or an emptyDir without sizeLimit. To mount a volume of the pod, omit it here." (default "a volume" .name)) -}}
{{- end -}}
{{- end -}}
{{- range $env := $sidecar.extraEnv -}}
{{- range $from := list "secretKeyRef" "configMapKeyRef" -}}
{{- with get (default (dict) $env.valueFrom) $from -}}
{{- if not .optional -}}
{{- $wrong = append $wrong (printf "sidecar.extraEnv: without the %s of %s, the container would not start and its pod would not become ready. Set optional: true there." $from $env.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $handler := list "httpGet" "exec" "tcpSocket" "grpc" -}}
{{- if hasKey (default (dict) $sidecar.livenessProbe) $handler -}}
{{- $wrong = append $wrong (printf "sidecar.livenessProbe: its handler is /-/healthy of the sidecar. Another handler could restart the sidecar when the database fails. Remove %s." $handler) -}}
{{- end -}}
{{- end -}}
{{- range $sidecar.extraArgs -}}
{{- if not (hasPrefix "--config=" .) -}}
{{- $wrong = append $wrong (printf "sidecar.extraArgs: %s is no argument of a sidecar, so the container would restart repeatedly. Remove it: only --config=FILE is allowed." .) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* "true" for a volume source that cannot delay the start of a pod. */}}
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

{{/* A sidecar connects to its node over loopback with the scheme and port of the service, which must be those of the nodes. */}}
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
{{- $wrong = append $wrong (printf "clusters: the sidecars of %s would request %s://127.0.0.1:%s, but its node %s is at %s. Set service.scheme and service.port to those of the nodes." $cluster.name $scheme $port $node.name $url) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $scheme "https") (not $tls.serverName) (not $tls.insecureSkipVerify) -}}
{{- $wrong = append $wrong (printf "clusters: the sidecars of %s connect to 127.0.0.1 with https, and the certificate does not contain that address. Set tls.serverName to a name that it contains." .name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
