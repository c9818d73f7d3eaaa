import { generatedNotice, table } from '../generated-file.ts';
import type { Fields, Json, Value } from './value.ts';

const head = ['value', 'type', 'default', 'meaning'];
const project = 'https://github.com/graphwarden/graphwarden/blob/main';

const introduction = `# graphwarden

${generatedNotice}

Monitors clusters of a graph database: metrics for Prometheus, alerts, dashboards, and a guard that aborts queries which violate
a policy. Install one daemon for everything, or a sidecar in each pod of the database and one daemon for the cluster.
See the [installation guide](${project}/docs/install/kubernetes.md).

\`\`\`sh
helm install warden oci://ghcr.io/graphwarden/charts/graphwarden --namespace db --set 'clusters[0].name=prod' --set podMonitor.enabled=true
\`\`\`

The daemon discovers the nodes behind the headless Service \`prod-internal-service\`, port \`nginx\`. \`clusters[].service\` changes
the name and the port. The chart requires Kubernetes 1.25 or later; sidecars are native from 1.29 on.

- **One replica, or several with PostgreSQL.** A state in a volume has exactly one daemon: \`replicaCount\` is 1 or 0, and the strategy is
  \`Recreate\`. While the daemon is down, the clusters are not monitored. The alerts of \`prometheusRule\` or a receiver with a heartbeat
  detect that. With \`state.postgres\`, \`replicaCount\` may be 2 or more: the replicas share the clusters, an update replaces one after the
  other, and the chart spreads them over hosts and zones ([High availability](${project}/docs/guides/high-availability.md)).
- **Security.** Every pod meets the \`restricted\` Pod Security Standard. \`helm lint --strict\`, kubectl-validate, kube-linter and
  kube-score report no problem with the defaults, in both modes. With a Service, kube-score recommends rolling updates and two
  replicas, which require \`state.postgres\`.
- **Users.** The chart creates the users \`graphwarden\` (reads) and \`prometheus\` (scrapes only) with random passwords in the Secret
  \`NAME-users\`, and monitors use them. An upgrade keeps the passwords. Where Helm has no access to the cluster (Argo CD,
  \`helm template\`), use \`web.existingSecret\`.
- **Closed network policy.** Only Prometheus, if a monitor is enabled, and \`networkPolicy.ingressFrom\` can connect.
- **Reload without restart.** The daemon loads a changed ConfigMap within about a minute. If it rejects the file, the last
  accepted configuration stays in force, also after a restart, and the alert \`config_rejected\` fires. A change of \`mode\`, \`config.log.format\`,
  \`config.state\`, \`config.telemetry\`, an address, a port or the name of a Secret replaces the pod.
- **Secrets in files.** Secrets in \`existingSecret\` and \`existingSecrets\` are mounted as directories, and the daemon reads them
  again when they change. The chart does not copy them.
- **Validation.** \`helm template\` rejects values that would not work, and states the remedy. The schema rejects unknown keys and
  values of \`config\` that the program would reject. \`configCheck.enabled\` runs \`check-config\` of the image before each installation and
  upgrade.
- **Parent charts** may set \`enabled\` for their condition, and keys that begin with \`x-\`.

## Upgrading

\`helm upgrade\` keeps names, selectors and the claim. A daemon does not start with a state of a newer version, so a rollback does
not damage it: restore the earlier state or upgrade again. The changelog lists incompatible changes of each version of the chart.

## Uninstalling

\`helm uninstall\` deletes the claim unless \`persistence.keep\` is set. Remove the fragments of the sidecars from the pods of the
database first. Secrets that you created, a kept claim, the pod of \`helm test\` and a failed Job of \`configCheck\` remain.

## Values`;

/** Returns the README of the chart. */
export function readme(fields: Fields): string {
  const all = Object.entries(fields);
  const alone = all.filter(([, value]) => value.kind === 'leaf').map(([name, value]) => row(name, value));
  const grouped = all.flatMap(([name, value]) => (value.kind === 'leaf' ? [] : [group(name, value)]));
  return `${[introduction, table(head, alone), ...grouped].join('\n\n')}\n`;
}

function group(name: string, value: Exclude<Value, { kind: 'leaf' }>): string {
  return [`### \`${name}\``, value.about, table(head, rows(path(name, value), value.fields))].join('\n\n');
}

function rows(prefix: string, fields: Fields): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const at = `${prefix}.${name}`;
    return value.kind === 'leaf' ? [row(at, value)] : rows(path(at, value), value.fields);
  });
}

function path(name: string, { kind }: Value): string {
  return kind === 'entries' ? `${name}[]` : name;
}

function row(name: string, value: Value): readonly string[] {
  const type = value.kind === 'leaf' ? value.type : '';
  return [`\`${name}\``, type, value.kind === 'section' ? '' : shown(value.defaultValue), value.about];
}

function shown(fallback: Json): string {
  if (fallback === '' || fallback === null) return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
