{{/* native or container: from the values, or what the Kubernetes version supports. */}}
{{- define "graphwarden.sidecarKind" -}}
{{- if eq .Values.sidecar.kind "auto" -}}
{{- ternary "native" "container" (semverCompare ">=1.29.0-0" .Capabilities.KubeVersion.Version) -}}
{{- else -}}
{{- .Values.sidecar.kind -}}
{{- end -}}
{{- end -}}

{{/* The namespace of the pods of a database, and thus of everything that they mount. Takes (dict "root" $ "cluster" …). */}}
{{- define "graphwarden.databaseNamespace" -}}
{{- default (include "graphwarden.namespace" .root) (default (dict) .cluster.service).namespace -}}
{{- end -}}

{{- define "graphwarden.sidecarConfigMapName" -}}
{{- include "graphwarden.fullname" .root }}-{{ include "graphwarden.clusterSlug" .cluster -}}
{{- end -}}

{{/* The configuration of the sidecars of a cluster: the value, with the policies of this cluster only. */}}
{{- define "graphwarden.sidecarSettings" -}}
{{- $settings := deepCopy .root.Values.sidecar.config -}}
{{- with $settings.guard -}}
{{- $own := list -}}
{{- range default (list) .policies -}}
{{- if or (not .clusters) (has $.cluster.name .clusters) -}}
{{- if .clusters -}}{{- $_ := set . "clusters" (list $.cluster.name) -}}{{- end -}}
{{- $own = append $own . -}}
{{- end -}}
{{- end -}}
{{- if hasKey . "policies" -}}{{- $_ := set . "policies" $own -}}{{- end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* The configuration file of the sidecars of a cluster: each monitors its own node over loopback. */}}
{{- define "graphwarden.sidecarConfig" -}}
{{- $sidecar := .root.Values.sidecar -}}
{{- $service := default (dict) .cluster.service -}}
{{- $url := printf "%s://127.0.0.1:%v" (default "http" $service.scheme) (default 14240 $service.port) -}}
{{- $node := dict "nodes" (list (dict "name" "${POD_NAME}" "url" $url)) -}}
{{- $cluster := merge $node (include "graphwarden.clusterHead" .cluster | fromYaml) -}}
{{- $own := dict "listen" (printf "%s:%v" (include "graphwarden.host" $sidecar.listenAddress) $sidecar.port) "scope" "node" "clusters" (list $cluster) -}}
{{- $_ := set $own "state_dir" (include "graphwarden.stateDir" .root) -}}
{{- if include "graphwarden.hasSidecarUsers" .root -}}
{{- $_ := set $own "web_config_file" (printf "%s/web.yml" (include "graphwarden.configFolder" .root)) -}}
{{- $_ := set $own "scrapers" (list "prometheus") -}}
{{- end -}}
{{- $state := dict "state" (dict "retention" (dict "size" $sidecar.stateSize)) -}}
{{- toYaml (merge $own (include "graphwarden.sidecarSettings" . | fromYaml) $state) -}}
{{- end -}}

{{/* The container, without the fields of a native sidecar. No probe requests the database or affects readiness. The
     container does not exit if it cannot start, because a container that exits makes its pod unready. */}}
{{- define "graphwarden.sidecarContainer" -}}
{{- $sidecar := .root.Values.sidecar -}}
name: {{ $sidecar.name | quote }}
image: {{ include "graphwarden.image" .root | quote }}
imagePullPolicy: {{ $sidecar.imagePullPolicy | quote }}
args:
  - run
  - --keep-trying
  - --config={{ include "graphwarden.configFolder" .root }}/graphwarden.yml
  {{- with $sidecar.extraArgs }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
ports:
  - name: graphwarden
    containerPort: {{ $sidecar.port }}
    protocol: TCP
env:
  - name: GRAPHWARDEN_CONFIG # for commands in the container
    value: {{ include "graphwarden.configFolder" .root }}/graphwarden.yml
  {{- include "graphwarden.environment" .root | nindent 2 }}
  {{- with $sidecar.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $sidecar.livenessProbe }}
livenessProbe:
  httpGet:
    path: /-/healthy
    port: graphwarden
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $sidecar.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $sidecar.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: graphwarden-config
    mountPath: {{ include "graphwarden.configFolder" .root }}
    readOnly: true
  - name: {{ default "graphwarden-state" $sidecar.stateVolumeName | quote }}
    mountPath: {{ include "graphwarden.stateDir" .root }}
  {{- range include "graphwarden.secretNames" (dict "clusters" (list .cluster) "existing" (list)) | fromYamlArray }}
  - name: {{ include "graphwarden.secretVolume" (dict "prefix" "graphwarden-secret-" "secret" .) | quote }}
    mountPath: {{ include "graphwarden.secretsFolder" $ }}/{{ . }}
    readOnly: true
  {{- end }}
  {{- with $sidecar.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Its volumes. All are optional, because a missing object must not keep the pod from starting. */}}
{{- define "graphwarden.sidecarVolumes" -}}
- name: graphwarden-config
  configMap:
    name: {{ include "graphwarden.sidecarConfigMapName" . | quote }}
    optional: true
{{- if not .root.Values.sidecar.stateVolumeName }}
- name: graphwarden-state
  emptyDir: {}
{{- end }}
{{- range include "graphwarden.secretNames" (dict "clusters" (list .cluster) "existing" (list)) | fromYamlArray }}
- name: {{ include "graphwarden.secretVolume" (dict "prefix" "graphwarden-secret-" "secret" .) | quote }}
  secret:
    secretName: {{ . | quote }}
    optional: true
    defaultMode: 292 # 0444: the pod belongs to the database, and so does its group
{{- end }}
{{- with .root.Values.sidecar.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The patch of the pod template of the database. */}}
{{- define "graphwarden.sidecarPodSpec" -}}
{{- if eq (include "graphwarden.sidecarKind" .root) "native" }}
initContainers:
  - {{ include "graphwarden.sidecarContainer" . | indent 4 | trim }}
    restartPolicy: Always
{{- else }}
containers:
  - {{ include "graphwarden.sidecarContainer" . | indent 4 | trim }}
{{- end }}
volumes:
  {{- include "graphwarden.sidecarVolumes" . | nindent 2 }}
{{- with include "graphwarden.pullSecrets" .root | fromYamlArray }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
