/** The file that `graphwarden init` writes: what a first installation needs, with the next steps as comments. */
export function starter(): string {
  return `# graphwarden watches clusters of a graph database and exposes what it sees at /metrics.
# Check this file with \`graphwarden check-config FILE\`, and what the server allows with \`graphwarden doctor --config FILE\`.
# Any text may be \${ENV_VAR}; durations are written 10s, 5m, 1h; file names are relative to this file.
# yaml-language-server: $schema=./graphwarden.schema.json

listen: 127.0.0.1:9916        # 0.0.0.0:9916 serves every interface; then turn on TLS and users:
# web_config_file: web.yml    # TLS, client certificates and users, in the format of the exporter-toolkit

clusters:
  - name: prod                # the label cluster_name
    # labels: { env: prod }   # put on every series of this cluster
    nodes:                    # every node by its own address, not through a balancer
      - { name: m1, url: "http://127.0.0.1:14240" }
      # - { name: m2, url: "http://10.0.0.2:14240" }

    # How to show ourselves to the server: one of these. The file is read again when it changes.
    # read_auth: { bearer_token_file: /run/secrets/token }
    # read_auth: { basic: { username: monitor, password_file: /run/secrets/password } }
    # read_auth: { secret_file: /run/secrets/secret }      # exchanged for a token, renewed in time

    # For https nodes with a private authority:
    # tls: { ca_file: ca.pem }

# What is read, and how often. These are the ones people change first; all others have sensible defaults.
# collectors:
#   metrics: { every: 15s, timeout: 5s, passthrough: true }      # false: without the server's own families
#   statistics: { every: 30s, timeout: 5s }
#   consistency: { enabled: true, cron: "0 3 * * SUN" }          # heavy, therefore off unless asked for

# Who is told when something is wrong. Without routes all of them hear everything, and of what is critical at once.
# alerts:
#   receivers:
#     - { name: oncall, pagerduty: { routing_key_file: pagerduty.key } }
#     - { name: chat, slack: { webhook_url_file: slack.url } }
#     - { name: am, alertmanager: { urls: ["http://127.0.0.1:9093"] } }
`;
}
