{{/* Rejects networks that the API server does not accept: with bits beyond their length, and exceptions outside of their network. */}}
{{- define "graphwarden.networkChecks" -}}
{{- $wrong := list -}}
{{- range .Values.service.loadBalancerSourceRanges -}}
{{- $wrong = concat $wrong (include "graphwarden.hostBits" (dict "at" "service.loadBalancerSourceRanges" "network" .) | fromYamlArray) -}}
{{- end -}}
{{- $peers := dict "networkPolicy.ingressFrom" (default (list) .Values.networkPolicy.ingressFrom) -}}
{{- range .Values.networkPolicy.extraEgress -}}
{{- $_ := set $peers "networkPolicy.extraEgress" (concat (default (list) (get $peers "networkPolicy.extraEgress")) (default (list) .to)) -}}
{{- end -}}
{{- range $at, $list := $peers -}}
{{- range $list -}}
{{- with .ipBlock -}}
{{- $network := .cidr -}}
{{- range prepend (default (list) .except) .cidr -}}
{{- $wrong = concat $wrong (include "graphwarden.hostBits" (dict "at" $at "network" .) | fromYamlArray) -}}
{{- end -}}
{{- range .except -}}
{{- if not (or (contains "{{" .) (contains "{{" $network) (include "graphwarden.isInside" (dict "network" $network "part" .))) -}}
{{- $wrong = append $wrong (printf "%s: the exception %s is not a part of %s. Correct it, or remove it." $at . $network) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{- define "graphwarden.hostBits" -}}
{{- $wrong := list -}}
{{- if not (contains "{{" .network) -}}
{{- $bits := include "graphwarden.bits" .network -}}
{{- if not (has (len $bits) (list 32 128)) -}}
{{- $wrong = append $wrong (printf "%s: %s is not a network. Write it as 10.0.0.0/8 or fd00::/8." .at .network) -}}
{{- else if contains "1" (substr (regexFind "[0-9]+$" .network | int) -1 $bits) -}}
{{- $wrong = append $wrong (printf "%s: %s has bits beyond the length of its prefix, which Kubernetes rejects. Set them to 0, as in 10.0.0.0/8, or use the whole length for one address." .at .network) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* Not empty if a network is a smaller part of another one. */}}
{{- define "graphwarden.isInside" -}}
{{- $length := regexFind "[0-9]+$" .network | int -}}
{{- $isSmaller := gt (regexFind "[0-9]+$" .part | int) $length -}}
{{- $isSame := eq (contains ":" .part) (contains ":" .network) -}}
{{- if and $isSame $isSmaller (hasPrefix (substr 0 $length (include "graphwarden.bits" .network)) (include "graphwarden.bits" .part)) -}}yes{{- end -}}
{{- end -}}

{{/* The address of a network as zeros and ones. */}}
{{- define "graphwarden.bits" -}}
{{- $address := regexReplaceAll "/.*" . "" -}}
{{- if contains ":" $address -}}
{{- $halves := splitList "::" $address -}}
{{- $head := compact (splitList ":" (first $halves)) -}}
{{- $tail := ternary (compact (splitList ":" (last $halves))) (list) (gt (len $halves) 1) -}}
{{- range $head -}}{{- printf "%016b" (int64 (printf "0x%s" .)) -}}{{- end -}}
{{- range until (int (max 0 (sub 8 (len (concat $head $tail))))) -}}0000000000000000{{- end -}}
{{- range $tail -}}{{- printf "%016b" (int64 (printf "0x%s" .)) -}}{{- end -}}
{{- else -}}
{{- range splitList "." $address -}}{{- printf "%08b" (int64 .) -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Rejects filters that a rule of a route has only once. */}}
{{- define "graphwarden.filterChecks" -}}
{{- $wrong := list -}}
{{- $types := list -}}
{{- range .Values.route.filters -}}
{{- if and (has .type $types) (not (has .type (list "RequestMirror" "ExtensionRef"))) -}}
{{- $wrong = append $wrong (printf "route.filters: two filters have the type %s, which the Gateway API rejects. Merge them." .type) -}}
{{- end -}}
{{- $types = append $types .type -}}
{{- end -}}
{{- if has "RequestRedirect" $types -}}
{{- $wrong = append $wrong "route.filters: RequestRedirect leaves no request for the daemon, and the Gateway API rejects it in a rule that has a Service. Remove it, and redirect in an HTTPRoute of your own in extraManifests." -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{/* The objects in a text as KIND NAMESPACE NAME, one a line. */}}
{{- define "graphwarden.objectNames" -}}
{{- range splitList "\n---" (printf "\n%s" .text) -}}
{{- $kind := regexFind "(?m)^kind: .+$" . | trimPrefix "kind: " -}}
{{- if $kind }}
{{ $kind }} {{ regexFind "(?m)^  namespace: .+$" . | trimPrefix "  namespace: " | trimAll "\"" }} {{ regexFind "(?m)^  name: .+$" . | trimPrefix "  name: " | trimAll "\"" }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Rejects additional objects that the API server cannot accept, and those that another object of the release replaces. */}}
{{- define "graphwarden.extraChecks" -}}
{{- $wrong := list -}}
{{- $names := list -}}
{{- range list "config-check" "configmap" "dashboards" "deployment" "httproute" "ingress" "networkpolicy" "poddisruptionbudget" "podmonitor" "prometheusrule" "pvc" "service" "serviceaccount" "servicemonitor" "sidecar-config" "sidecar-fragments" "sidecar-podmonitor" "tests/configuration" "users" "verticalpodautoscaler" -}}
{{- $names = concat $names (include "graphwarden.objectNames" (dict "text" (include (printf "%s/%s.yaml" $.Template.BasePath .) $)) | splitList "\n") -}}
{{- end -}}
{{- range $at, $manifest := .Values.extraManifests -}}
{{- $object := tpl (toYaml $manifest) $ | fromYaml -}}
{{- $where := printf "extraManifests[%d]" $at -}}
{{- $metadata := ternary (default (dict) $object.metadata) (dict) (kindIs "map" $object.metadata) -}}
{{- $name := toString (default "" $metadata.name) -}}
{{- if hasKey $object "Error" -}}
{{- $wrong = append $wrong (printf "%s: its templates do not result in an object: %v. Correct them." $where (get $object "Error")) -}}
{{- else if not (and (regexMatch "^([a-z0-9.-]+/)?[a-z]([-a-z0-9]*[a-z0-9])?$" (toString (default "" $object.apiVersion))) (regexMatch "^[A-Za-z][A-Za-z0-9]*$" (toString (default "" $object.kind))) $name) -}}
{{- $wrong = append $wrong (printf "%s: an object has an apiVersion such as v1, a kind such as ConfigMap, and metadata.name. Correct %v, %v and %q." $where (default "no apiVersion" $object.apiVersion) (default "no kind" $object.kind) $name) -}}
{{- else if not (or (hasPrefix "rbac.authorization.k8s.io/" $object.apiVersion) (regexMatch "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" $name)) -}}
{{- $wrong = append $wrong (printf "%s: %s is not a valid name in Kubernetes. Use lower-case letters, digits, dashes and dots." $where $name) -}}
{{- else -}}
{{- $namespace := default $.Release.Namespace $metadata.namespace -}}
{{- $own := printf "%s %s %s" $object.kind $namespace $name -}}
{{- if has $own $names -}}
{{- $wrong = append $wrong (printf "%s: the release has a %s %s already, and Helm cannot install both. Remove it, or rename it." $where $object.kind $name) -}}
{{- end -}}
{{- $names = append $names $own -}}
{{- end -}}
{{- end -}}
{{- if $wrong -}}
{{- fail (printf "\n\nInvalid values:\n- %s\n" (join "\n- " $wrong)) -}}
{{- end -}}
{{- end -}}
