{{/* Generated from src/notify/receivers by `npm run generate`. Keys of receivers that must not be in a ConfigMap. */}}
{{- define "graphwarden.receiverSecrets" -}}
- { kind: pagerduty, key: routing_key }
- { kind: slack, key: webhook_url }
- { kind: teams, key: webhook_url }
- { kind: ntfy, key: token }
- { kind: webhook, key: hmac_key }
- { kind: email, key: password }
{{- end -}}

{{/* Keys of receivers with an address that may contain a token. */}}
{{- define "graphwarden.receiverUrls" -}}
- { kind: webhook, key: url }
{{- end -}}
