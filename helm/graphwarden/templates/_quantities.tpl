{{/* A Kubernetes quantity (250m, 0.5, 4Gi) as a number; empty if it is invalid. */}}
{{- define "graphwarden.quantity" -}}
{{- if regexMatch "^([0-9]+[.]?[0-9]*|[.][0-9]+)[eE][+-]?[0-9]+$" . -}}
{{- float64 . -}}
{{- else if regexMatch "^([0-9]+[.]?[0-9]*|[.][0-9]+)(n|u|m|k|[KMGTPE]i|[MGTPE])?$" . -}}
{{- $units := dict "" 1 "n" 1e-9 "u" 1e-6 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 -}}
{{- $_ := merge $units (dict "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976) -}}
{{- mulf (regexFind "^[0-9.]+" . | float64) (get $units (regexFind "[A-Za-z]+$" .)) -}}
{{- end -}}
{{- end -}}

{{/* A Prometheus duration (30s, 1m30s) in milliseconds; empty if it is invalid. */}}
{{- define "graphwarden.milliseconds" -}}
{{- if and . (regexMatch "^([0-9]+y)?([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$" .) -}}
{{- $units := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000 "w" 604800000 "y" 31536000000 -}}
{{- $all := 0 -}}
{{- range regexFindAll "[0-9]+(ms|[smhdwy])" . -1 -}}
{{- $all = add $all (mul (regexFind "^[0-9]+" . | int64) (get $units (regexFind "[a-z]+$" .) | int64)) -}}
{{- end -}}
{{- $all -}}
{{- end -}}
{{- end -}}

{{/* A size in bytes, in the notation of the program (2GiB) or of Kubernetes (2Gi). */}}
{{- define "graphwarden.bytes" -}}
{{- $units := dict "" 1 "K" 1e3 "KI" 1024 "M" 1e6 "MI" 1048576 "G" 1e9 "GI" 1073741824 "T" 1e12 "TI" 1099511627776 -}}
{{- $unit := regexFind "[KkMGT]i?" . | upper -}}
{{- mulf (regexFind "^[0-9.]+" . | float64) (get $units $unit) | int64 -}}
{{- end -}}

{{/* Rejects amounts that are no quantities, and requests above limits, which the API server does not accept. Takes (dict "name" … "resources" …). */}}
{{- define "graphwarden.resourceChecks" -}}
{{- $wrong := list -}}
{{- $name := .name -}}
{{- $resources := default (dict) .resources -}}
{{- $limits := default (dict) $resources.limits -}}
{{- range $side, $amounts := dict "requests" $resources.requests "limits" $resources.limits -}}
{{- range $kind, $amount := default (dict) $amounts -}}
{{- $number := include "graphwarden.quantity" (toString $amount) -}}
{{- if not $number -}}
{{- $wrong = append $wrong (printf "%s: %v is not a valid Kubernetes quantity in %s.%s. Write it as 500m, 0.5 or 256Mi." $name $amount $side $kind) -}}
{{- else if contains "/" $kind -}}
{{- if ne (floor $number) (float64 $number) -}}
{{- $wrong = append $wrong (printf "%s: %v of %s in %s is not a whole number, which Kubernetes rejects. Round it." $name $amount $kind $side) -}}
{{- end -}}
{{- else if hasPrefix "hugepages-" $kind -}}
{{- $page := include "graphwarden.quantity" (trimPrefix "hugepages-" $kind) -}}
{{- if or (not $page) (le (float64 $number) 0.0) (ne (floor (divf $number (default 1 $page))) (divf $number (default 1 $page))) -}}
{{- $wrong = append $wrong (printf "%s: %v of %s in %s is not a multiple of the size of a page, which Kubernetes rejects. Write it as 4Mi with hugepages-2Mi." $name $amount $kind $side) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $kind, $requested := default (dict) $resources.requests -}}
{{- $request := include "graphwarden.quantity" (toString $requested) -}}
{{- $limit := include "graphwarden.quantity" (toString (get $limits $kind)) -}}
{{- if and $request $limit (gt (float64 $request) (float64 $limit)) -}}
{{- $wrong = append $wrong (printf "%s: it requests %v of %s, and its limit is %v. Lower requests.%s as well, or raise the limit." $name $requested $kind (get $limits $kind) $kind) -}}
{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
