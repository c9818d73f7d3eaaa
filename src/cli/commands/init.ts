import { type Command, exitCode } from '../command.ts';
import { printError } from '../print.ts';

const defaultFile = 'graphwarden.yml';

/** Writes a starter configuration. */
export const init: Command = {
  flags: [
    { name: 'owner', value: 'USER[:GROUP]', about: 'give the file to this user and group (default: the current user)' },
    { name: 'container', about: 'listen on all addresses, as a published port of a container requires' },
  ],
  arguments: ['[FILE]'],
  details: `FILE defaults to ${defaultFile}. An existing file is not overwritten: exit code 1. The file has the mode 0640.`,
  examples: [
    'init',
    'init --owner root:graphwarden /etc/graphwarden/graphwarden.yml',
    'init --container /etc/graphwarden/graphwarden.yml',
  ],
  run: async ({ arguments: [file = defaultFile], flags }, ports) => {
    const listen = 'container' in flags ? containerListen : loopbackListen;
    const created = await ports.createFile(file, starterConfig(listen), flags.owner);
    if (!created.ok) return printError(created.error, ports);
    ports.stdout.write(
      `${file} written. Set the addresses of your nodes, then run:\n  graphwarden check-config ${file}\n`,
    );
    ports.stdout.write(`  graphwarden doctor --config ${file}\n  graphwarden run --config ${file}\n`);
    return exitCode.ok;
  },
};

const loopbackListen = `listen: 127.0.0.1:9916        # 0.0.0.0:9916 listens on all interfaces; then enable TLS and users:`;
const containerListen = `listen: 0.0.0.0:9916          # inside the container; publish the port on 127.0.0.1, or enable TLS and users:`;

/** File that `graphwarden init` writes: a minimal installation with the next steps as comments. */
export function starterConfig(listen = loopbackListen): string {
  return `# Configuration of graphwarden. Validate it with \`graphwarden check-config FILE\`, and check the privileges on the
# server with \`graphwarden doctor --config FILE\`.
# Any string may contain \${ENV_VAR}; durations are written 10s, 5m, 1h; files are relative to this file, but
# state_dir (default ./state) is relative to the working directory of graphwarden.
# yaml-language-server: $schema=./graphwarden.schema.json

${listen}
# web_config_file: web.yml    # TLS, client certificates and users (exporter-toolkit format)

clusters:
  - name: prod                # value of the label cluster_name
    # labels: { env: prod }   # added to each series of this cluster
    nodes:                    # address of each node, not of a load balancer
      - { name: m1, url: "http://127.0.0.1:14240" }
      # - { name: m2, url: "http://10.0.0.2:14240" }

    # Credentials for requests to the server: one of these. A changed file is read again.
    # read_auth: { bearer_token_file: /run/secrets/token }
    # read_auth: { basic: { username: monitor, password_file: /run/secrets/password } }
    # read_auth: { secret_file: /run/secrets/secret }      # exchanged for a token, renewed before expiry

    # For https nodes with a private CA:
    # tls: { ca_file: ca.pem }

# Collectors. These are changed most often; the defaults of the others are suitable for most clusters.
# collectors:
#   metrics: { interval: 15s, timeout: 5s, passthrough: true }      # false: without the native metrics of the server
#   statistics: { interval: 1m, timeout: 5s }
#   consistency: { enabled: true, schedule: "0 3 * * SUN" }         # expensive, therefore disabled by default

# Receivers of alerts. Without routes, each receiver gets all alerts, and critical alerts without group_wait.
# alerts:
#   receivers:
#     - { name: oncall, pagerduty: { routing_key_file: pagerduty.key } }
#     - { name: chat, slack: { webhook_url_file: slack.url } }
#     - { name: am, alertmanager: { urls: ["http://127.0.0.1:9093"] } }
#   routes:                   # the first route that matches wins; the last one has no matchers
#     - { matchers: ['severity="critical"'], receivers: [oncall, chat, am], group_wait: 0s }
#     - { receivers: [chat, am] }
`;
}
