{{/* Generated from src/notify/receivers by `npm run generate`. Keys of receivers that must not be in a ConfigMap. */}}
{{- define "graphwarden.receiverSecrets" -}}
- { kind: alertmanager, path: [http_config, proxy_basic_auth, password] }
- { kind: alertmanager, path: [http_config, basic_auth, password] }
- { kind: alertmanager, path: [http_config, authorization, credentials] }
- { kind: pagerduty, path: [routing_key] }
- { kind: pagerduty, path: [http_config, proxy_basic_auth, password] }
- { kind: slack, path: [webhook_url] }
- { kind: slack, path: [http_config, proxy_basic_auth, password] }
- { kind: slack_bot, path: [token] }
- { kind: slack_bot, path: [http_config, proxy_basic_auth, password] }
- { kind: teams, path: [webhook_url] }
- { kind: teams, path: [http_config, proxy_basic_auth, password] }
- { kind: ntfy, path: [token] }
- { kind: ntfy, path: [http_config, proxy_basic_auth, password] }
- { kind: webhook, path: [hmac_key] }
- { kind: webhook, path: [http_config, proxy_basic_auth, password] }
- { kind: webhook, path: [http_config, basic_auth, password] }
- { kind: webhook, path: [http_config, authorization, credentials] }
- { kind: templated_webhook, path: [http_config, proxy_basic_auth, password] }
- { kind: templated_webhook, path: [http_config, basic_auth, password] }
- { kind: templated_webhook, path: [http_config, authorization, credentials] }
- { kind: email, path: [password] }
{{- end -}}

{{/* Keys of receivers with an address that may contain a token. */}}
{{- define "graphwarden.receiverUrls" -}}
- { kind: webhook, path: [url] }
- { kind: templated_webhook, path: [url] }
{{- end -}}
