{{/* Rejects names in the configuration that nothing has: the program would reject the file, and a pod without an earlier one would not start. */}}
{{- define "graphwarden.referenceChecks" -}}
{{- $wrong := list -}}
{{- $clusters := list -}}
{{- range $cluster := .Values.clusters -}}
{{- $clusters = append $clusters .name -}}
{{- $nodes := list -}}
{{- range .nodes -}}
{{- if has .name $nodes -}}
{{- $wrong = append $wrong (printf "clusters: two nodes of %s have the name %s. Give them names that differ." $cluster.name .name) -}}
{{- end -}}
{{- $nodes = append $nodes .name -}}
{{- end -}}
{{- end -}}
{{- $receivers := list -}}
{{- $alerts := default (dict) .Values.config.alerts -}}
{{- range $alerts.receivers -}}
{{- if has .name $receivers -}}
{{- $wrong = append $wrong (printf "config.alerts.receivers: two of them have the name %s. Give them names that differ." .name) -}}
{{- end -}}
{{- $receivers = append $receivers .name -}}
{{- end -}}
{{- range $value, $config := dict "config" .Values.config "sidecar.config" .Values.sidecar.config -}}
{{- $isUsed := or (eq $value "config") (eq $.Values.mode "sidecar") -}}
{{- $guard := ternary (default (dict) $config.guard) (dict) $isUsed -}}
{{- $policies := list -}}
{{- range $policy := $guard.policies -}}
{{- if has .name $policies -}}
{{- $wrong = append $wrong (printf "%s.guard.policies: two of them have the name %s. Give them names that differ." $value .name) -}}
{{- end -}}
{{- $policies = append $policies .name -}}
{{- if and (eq $value "config") (not .clusters) (gt (len $clusters) 1) -}}
{{- $wrong = append $wrong (printf "config.guard.policies: %s has no clusters, and there are several. List their names in clusters." .name) -}}
{{- end -}}
{{- $wrong = concat $wrong (include "graphwarden.unknownNames" (dict "at" (printf "%s.guard.policies: clusters of %s" $value .name) "names" .clusters "known" $clusters "list" "clusters") | fromYamlArray) -}}
{{- if eq $value "config" -}}
{{- $wrong = concat $wrong (include "graphwarden.unknownNames" (dict "at" (printf "config.guard.policies: notify of %s" .name) "names" .notify "known" $receivers "list" "config.alerts.receivers") | fromYamlArray) -}}
{{- end -}}
{{- if and (eq (default "observe" $guard.mode) "enforce") (eq (default "observe" .mode) "enforce") (eq (toString (dig "collectors" "queries" "enabled" true $config)) "false") -}}
{{- $wrong = append $wrong (printf "%s.guard.policies: %s enforces, and collectors.queries is disabled, so there are no process lists. Enable it, or set the mode to observe." $value .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $list := list "custom" "probes" -}}
{{- range default (list) (get $.Values.config $list) -}}
{{- $wrong = concat $wrong (include "graphwarden.unknownNames" (dict "at" (printf "config.%s: clusters of %s" $list .name) "names" .clusters "known" $clusters "list" "clusters") | fromYamlArray) -}}
{{- end -}}
{{- end -}}
{{- concat $wrong (include "graphwarden.routeChecks" (dict "alerts" $alerts "receivers" $receivers "guard" (default (dict) .Values.config.guard)) | fromYamlArray) | toYaml -}}
{{- end -}}

{{/* Rejects routes by which alerts, or receivers, get lost. */}}
{{- define "graphwarden.routeChecks" -}}
{{- $wrong := list -}}
{{- $routes := default (list) .alerts.routes -}}
{{- $reached := list -}}
{{- $catchAll := -1 -}}
{{- range $at, $route := $routes -}}
{{- $named := concat (default (list) .receivers) (ternary (list .fallback) (list) (hasKey . "fallback")) -}}
{{- $wrong = concat $wrong (include "graphwarden.unknownNames" (dict "at" (printf "config.alerts.routes[%d]" $at) "names" $named "known" $.receivers "list" "config.alerts.receivers") | fromYamlArray) -}}
{{- $reached = concat $reached $named -}}
{{- if and (not .matchers) (not .continue) (lt $catchAll 0) -}}{{- $catchAll = $at -}}{{- end -}}
{{- end -}}
{{- if and (ge $catchAll 0) (lt $catchAll (sub (len $routes) 1 | int)) -}}
{{- $wrong = append $wrong (printf "config.alerts.routes: routes[%d] matches every alert, so the routes after it are never used. Move it to the end, or set continue: true there." $catchAll) -}}
{{- end -}}
{{- if and $routes (last $routes).matchers -}}
{{- $wrong = append $wrong "config.alerts.routes: the last route has matchers, so an alert that matches no route reaches no receiver. Add a route without matchers, such as { receivers: [NAME] }." -}}
{{- end -}}
{{- range .guard.policies -}}{{- $reached = concat $reached (default (list) .notify) -}}{{- end -}}
{{- range .alerts.receivers -}}
{{- if and $routes (not .heartbeat) (not (has .name $reached)) -}}
{{- $wrong = append $wrong (printf "config.alerts.routes: no route names the receiver %s, so it gets no notifications. Add it to a route, or remove it." .name) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* Rejects names that a list does not have; a reference to the environment can be any name. Takes at, names, known and list. */}}
{{- define "graphwarden.unknownNames" -}}
{{- $wrong := list -}}
{{- if not (contains "${" (join " " .known)) -}}
{{- range .names -}}
{{- if and (not (has . $.known)) (not (contains "${" .)) -}}
{{- $wrong = append $wrong (printf "%s: %s has no entry %s. Correct the name%s." $.at $.list . (ternary (printf "; known: %s" (join ", " $.known)) "" (gt (len $.known) 0))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* Rejects entries that Kubernetes identifies by one name: it would reject the object while others are applied already. */}}
{{- define "graphwarden.duplicateChecks" -}}
{{- $wrong := list -}}
{{- $environment := append (include "graphwarden.environment" . | fromYamlArray) (dict "name" "GRAPHWARDEN_CONFIG") -}}
{{- $lists := dict "extraEnv" (concat $environment (default (list) .Values.extraEnv)) -}}
{{- if eq .Values.mode "sidecar" -}}
{{- $_ := set $lists "sidecar.extraEnv" (concat $environment (default (list) .Values.sidecar.extraEnv)) -}}
{{- range .Values.clusters -}}
{{- $_ := set $lists "sidecar.extraVolumes" (include "graphwarden.sidecarVolumes" (dict "root" $ "cluster" .) | fromYamlArray) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $lists "extraVolumes" (concat (list (dict "name" "state")) (include "graphwarden.volumes" . | fromYamlArray)) -}}
{{- $_ := set $lists "extraContainers" (concat (list (dict "name" "graphwarden")) (default (list) .Values.extraContainers) (default (list) .Values.initContainers)) -}}
{{- $_ := set $lists "podSecurityContext.sysctls" (default (list) (default (dict) .Values.podSecurityContext).sysctls) -}}
{{- $_ := set $lists "prometheusRule.extraGroups" (default (list) .Values.prometheusRule.extraGroups) -}}
{{- range $value := list "extraContainers" "initContainers" -}}
{{- range $container := default (list) (get $.Values $value) -}}
{{- $_ := set $lists (printf "%s: env of %s" $value .name) (default (list) .env) -}}
{{- $_ := set $lists (printf "%s: resizePolicy of %s" $value .name) (include "graphwarden.named" (dict "list" .resizePolicy "keys" (list "resourceName")) | fromYamlArray) -}}
{{- $_ := set $lists (printf "%s: ports of %s" $value .name) (include "graphwarden.named" (dict "list" .ports "keys" (list "containerPort" "protocol")) | fromYamlArray) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $lists "hostAliases" (include "graphwarden.named" (dict "list" .Values.hostAliases "keys" (list "ip")) | fromYamlArray) -}}
{{- $_ := set $lists "topologySpreadConstraints" (include "graphwarden.named" (dict "list" .Values.topologySpreadConstraints "keys" (list "topologyKey" "whenUnsatisfiable")) | fromYamlArray) -}}
{{- range $value, $entries := $lists -}}
{{- $names := list -}}
{{- range $entries -}}
{{- if has .name $names -}}
{{- $wrong = append $wrong (printf "%s: two entries have the name %s, which Kubernetes rejects. Remove or rename one." $value .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}
{{- $volumes := list -}}
{{- range $lists.extraVolumes -}}{{- $volumes = append $volumes .name -}}{{- end -}}
{{- $own := list (dict "name" "state" "mountPath" (include "graphwarden.stateDir" .)) -}}
{{- $mounts := concat $own (include "graphwarden.mounts" . | fromYamlArray) -}}
{{- $wrong = concat $wrong (include "graphwarden.mountChecks" (dict "at" "extraVolumeMounts" "mounts" $mounts "volumes" $volumes) | fromYamlArray) -}}
{{- range $value := list "extraContainers" "initContainers" -}}
{{- range default (list) (get $.Values $value) -}}
{{- $wrong = concat $wrong (include "graphwarden.mountChecks" (dict "at" (printf "%s: volumeMounts of %s" $value .name) "mounts" .volumeMounts "volumes" $volumes) | fromYamlArray) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* Entries with a name that consists of some of their keys, by which Kubernetes identifies them. */}}
{{- define "graphwarden.named" -}}
{{- $named := list -}}
{{- range $entry := default (list) .list -}}
{{- $name := list -}}
{{- range $.keys -}}{{- $name = append $name (toString (default "TCP" (get $entry .))) -}}{{- end -}}
{{- $named = append $named (dict "name" (join " " $name)) -}}
{{- end -}}
{{- toYaml $named -}}
{{- end -}}

{{/* Rejects mounts of volumes that do not exist, and two at one path. Names with templates are not known here. */}}
{{- define "graphwarden.mountChecks" -}}
{{- $wrong := list -}}
{{- $paths := list -}}
{{- range default (list) .mounts -}}
{{- if not (or (has .name $.volumes) (contains "{{" .name)) -}}
{{- $wrong = append $wrong (printf "%s: no volume has the name %s, which Kubernetes rejects. Add it to extraVolumes, or correct the name." $.at .name) -}}
{{- end -}}
{{- if has .mountPath $paths -}}
{{- $wrong = append $wrong (printf "%s: two volumes are mounted at %s, which Kubernetes rejects. Choose another path." $.at .mountPath) -}}
{{- end -}}
{{- $paths = append $paths .mountPath -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
