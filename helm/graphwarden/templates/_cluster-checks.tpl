{{/* Rejects incomplete settings of a cluster, which would otherwise be ignored silently. */}}
{{- define "graphwarden.halfChecks" -}}
{{- $wrong := list -}}
{{- $cluster := .cluster -}}
{{- $service := default (dict) $cluster.service -}}
{{- $tls := default (dict) $cluster.tls -}}
{{- range $at, $auth := dict "readAuth" $cluster.readAuth "abortAuth" $cluster.abortAuth -}}
{{- if and $auth (not $auth.existingSecret) (or $auth.kind $auth.key $auth.username) -}}
{{- $wrong = append $wrong (printf "clusters: %s of %s has no existingSecret, so the daemon would send no credential. Name the Secret, or remove %s." $at $cluster.name $at) -}}
{{- end -}}
{{- end -}}
{{- if and (or $tls.caKey $tls.certKey $tls.keyKey) (not $tls.existingSecret) -}}
{{- $wrong = append $wrong (printf "clusters: tls of %s names keys of a Secret but no Secret. Name it in tls.existingSecret." $cluster.name) -}}
{{- end -}}
{{- if ne (empty $tls.certKey) (empty $tls.keyKey) -}}
{{- $wrong = append $wrong (printf "clusters: tls of %s needs certKey and keyKey, or none of them." $cluster.name) -}}
{{- end -}}
{{- $isOpen := ne (default "http" $service.scheme) "https" -}}
{{- range $cluster.nodes -}}{{- if not (hasPrefix "http://" (toString .url)) -}}{{- $isOpen = false -}}{{- end -}}{{- end -}}
{{- if and $tls.existingSecret $isOpen -}}
{{- $wrong = append $wrong (printf "clusters: %s has tls, but uses http, which sends its credentials unencrypted. Set service.scheme to https, or remove tls." $cluster.name) -}}
{{- end -}}
{{- $isPlain := and (not $cluster.nodes) (ne (default "http" $service.scheme) "https") -}}
{{- range $cluster.nodes -}}
{{- if regexMatch "^http://" (toString .url) -}}
{{- if not (regexMatch "^http://(localhost|127([.][0-9]{1,3}){3}|\\[::1\\])([:/]|$)" (toString .url)) -}}{{- $isPlain = true -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $isPlain (ne .mode "sidecar") (default (dict) $cluster.abortAuth).existingSecret (not (default (dict) $cluster.options).allow_plain_http) -}}
{{- $wrong = append $wrong (printf "clusters: %s sends abortAuth over http, unencrypted. Set service.scheme to https, or the URLs of the nodes, or accept it with options.allow_plain_http: true." $cluster.name) -}}
{{- end -}}
{{- if and $service.refreshInterval (not (regexMatch "^([0-9]+([.][0-9]+)?(ms|s|m|h|d|w))+$" $service.refreshInterval)) -}}
{{- $wrong = append $wrong (printf "clusters: service.refreshInterval of %s is a duration with a unit. Write it as 30s." $cluster.name) -}}
{{- end -}}
{{- if and (not $cluster.nodes) (not $service.name) (not (regexMatch "^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$" $cluster.name)) -}}
{{- $wrong = append $wrong (printf "clusters: %s-internal-service is not a valid Service name. Set service.name to the name of the Service of %s." $cluster.name $cluster.name) -}}
{{- end -}}
{{- if and (eq .mode "sidecar") (not $cluster.statefulSet) (not (regexMatch "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$" $cluster.name)) -}}
{{- $wrong = append $wrong (printf "clusters: %s is not a valid StatefulSet name. Set statefulSet to the name of the StatefulSet." $cluster.name) -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
