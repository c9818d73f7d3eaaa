import { origin, table } from '../document.ts';
import type { Fields, Json, Value } from './value.ts';

const head = ['value', 'type', 'default', 'meaning'];
const project = 'https://github.com/graphwarden/graphwarden/blob/main';

const introduction = `# graphwarden

${origin}

Watches clusters of a graph database: metrics for Prometheus, alerts, dashboards, and a guard that aborts queries which break
policy. One daemon for everything, or a sidecar beside each node of the database and one daemon for the cluster.
[Installing it, step by step](${project}/docs/install/kubernetes.md).

\`\`\`sh
helm install warden helm/graphwarden --namespace db --set 'clusters[0].name=prod' --set podMonitor.enabled=true
\`\`\`

It looks for the nodes behind the headless Service \`prod-internal-service\`, port \`nginx\`; \`clusters[].service\` says otherwise.
Needs Kubernetes 1.25 or later; sidecars are native from 1.29 on.

- **Only one.** The state has one daemon: \`replicaCount\` is 1 or 0, the strategy is \`Recreate\`. While it is away, nobody watches;
  let the alerts of \`prometheusRule\` or the heartbeat of a receiver notice that.
- **Nothing to waive.** Every pod fits the «restricted» Pod Security Standard; \`helm lint --strict\`, kubectl-validate, kube-linter
  and kube-score find nothing with defaults, in both modes. With a Service, kube-score wants rolling updates and two replicas:
  that is what must not be.
- **Changes without restarts.** The daemon takes a changed ConfigMap by itself, within about a minute, or refuses it and goes on
  with what it had: \`graphwarden_config_last_reload_successful\` tells. A change of \`mode\`, \`config.log.format\`, \`config.state\`,
  \`config.tracing\`, an address, a port or a Secret's name makes a new pod.
- **Secrets by files.** \`existingSecret\` and \`existingSecrets\` are mounted as folders, read again when they change, and never
  copied anywhere.
- **Refused in words.** Values that make no sense end \`helm template\` with a sentence that says what to do; keys that nobody
  reads, and everything in \`config\` that the program would refuse, do not get past the schema.

## Upgrading

\`helm upgrade\` keeps names, selectors and the claim. A state that is newer than the program is refused, so that a rollback loses
nothing: go back with the state from before, or forward. A new version of the chart names what breaks here.

## Uninstalling

\`helm uninstall\` takes the claim along, unless \`persistence.keep\` is set. Sidecars go the way they came: take the fragment out of
the pods of the database first.

## Values`;

/** The chart's README. */
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
  return [`\`${name}\``, type, value.kind === 'section' ? '' : shown(value.fallback), value.about];
}

function shown(fallback: Json): string {
  if (fallback === '' || fallback === null) return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
