import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { digest } from '../../src/runtime/system-ports.ts';
import { querySpanContext } from '../../src/trace/span-context.ts';
import { endingScript, guideBlocks, runIsolated } from '../support/guide.ts';
import { installedProgram } from '../support/installed-program.ts';
import { findTool } from '../support/tools.ts';
import { otelcol } from './otelcol.ts';

const isPossible = process.getuid?.() === 0 && ['jq', 'unshare'].every((name) => findTool(name) !== undefined);

/** What runs instead of commands that do not end, that fail here, and of IDs. */
type Changes = readonly (readonly [guide: string, here: string])[];

const guardChanges: Changes = [
  ['graphwarden run --config graphwarden.yml', 'start_and_wait_for_a_query'],
  [
    'graphwarden queries --watch',
    'timeout --signal INT --preserve-status 6 graphwarden queries --watch || [ $? = 130 ]',
  ],
  // No breaker is open.
  ['same_query sandbox adhoc_paths', 'same_query sandbox adhoc_paths || [ $? = 1 ]'],
  ['--for 8h', '--for 12s'],
  ['monday.jsonl\ngraphwarden guard replay', 'monday.jsonl; cp monday.jsonl saved.jsonl\ngraphwarden guard replay'],
  ['65687.RESTPP_1_2.1795271976309.N', '"$id"'],
  ['graphwarden guard audit --state-dir', 'kill $daemon; wait $daemon\ngraphwarden guard audit --state-dir'],
];
const guardScript = `
cp graphwarden.yml new.yml
query() { graphwarden queries --query adhoc_paths --json | jq --exit-status --raw-output '.[0].id'; }
start_and_wait_for_a_query() {
  graphwarden run --config graphwarden.yml &
  daemon=$!
  wait_for query
  id=$(query)
}
`;

const alertingChanges: Changes = [
  // The receivers cannot be reached from the network of the test.
  ['alert test --config graphwarden.yml', 'alert test --config graphwarden.yml || [ $? = 1 ]'],
  ['--faults oncall=503\n', '--faults oncall=503\nstart_and_wait_for_an_incident\n'],
  ['5f0c1f6f3a6e-7', '"$incident"'],
  ['silence end ID', `silence end "$(graphwarden silence list --json | jq --raw-output '.[0].id')"`],
];
const alertingScript = `
incident() { graphwarden alerts --json | jq --exit-status --raw-output 'map(select(.incident != ""))[0].incident'; }
start_and_wait_for_an_incident() {
  graphwarden run --config graphwarden.yml &
  wait_for incident
  incident=$(incident)
}
`;

const readmeChanges: Changes = [
  // CI runs these; another test starts the demo of a checkout and the script.
  ['npm ci && npm start', ''],
  ['npm ci && npm test', ''],
  ['examples/try.sh', ''],
  ['graphwarden run --config graphwarden.yml', 'start_and_wait_for_a_query'],
  ...alertingChanges.slice(0, 1),
  [
    'graphwarden demo --scenario node_outage --receivers',
    'kill $daemon; wait $daemon\ngraphwarden demo --scenario node_outage --receivers',
  ],
  ['graphwarden guard explain', 'start_and_wait_for_a_query\ngraphwarden guard explain'],
  guardChanges[1] ?? ['', ''],
  ['prod/m1 ID', 'prod/m2 "$id"'],
];

/** The collector of the guide, or nothing in its place. */
function collectorRun(): { readonly changes: Changes; readonly before: string } {
  if (otelcol === undefined) return { changes: [['otelcol --config otelcol.yaml &', '']], before: '' };
  const [settings = ''] = guideBlocks('docs/opentelemetry.md', 'Example with the OpenTelemetry Collector', 'yaml');
  const before = `
echo 'x-tenant: graph' > otlp-headers.txt
cat > otelcol.yaml << 'YAML'
${settings}
YAML
otelcol() { '${otelcol}' "$@" > otelcol.log 2>&1; }
exporting() {
  OTEL_METRIC_EXPORT_INTERVAL=1000 "$@" & daemon=$!
  wait_for grep graphdb_up otelcol.log
  kill -INT -$daemon
  wait $daemon
}
`;
  const changes: Changes = [
    ['otelcol.yaml &', 'otelcol.yaml &\nwait_for curl --silent http://127.0.0.1:4318/'],
    ['graphwarden demo', 'exporting graphwarden demo'],
  ];
  return { changes, before };
}

/** Runs all commands of a guide with a configuration, in a network in which its nodes answer, except `down`. */
async function runGuide(
  [path, title]: readonly [path: string, title: string],
  config: string,
  { changes = [], before = '', down = '' }: { changes?: Changes; before?: string; down?: string } = {},
): Promise<string> {
  const { cwd, env } = await installedProgram();
  await writeFile(join(cwd, 'graphwarden.yml'), config);
  const nodes = [...config.matchAll(/10\.0\.0\.\d/g)].map(([address]) => address).filter((one) => one !== down);
  const secrets = [...config.matchAll(/\/run\/secrets\/\w+(?:-\w+)?/g)].map(
    ([file]) => `echo http://10.1.1.1 > ${file}`,
  );
  const blocks = guideBlocks(path, title).join('');
  const script = changes.reduce((text, [one, other]) => text.replaceAll(one, other), blocks);
  const all = ['mkdir /run/secrets', ...secrets, before, endingScript(script)].join('\n');
  return runIsolated(all, { cwd, env, nodes });
}

describe.skipIf(!isPossible)('the commands of a guide run with its configuration', { timeout: 600_000 }, () => {
  const [guarded = ''] = guideBlocks('docs/guard.md', 'Set up a first policy', 'yaml');

  it('query guard', async () => {
    const options = { changes: guardChanges, before: guardScript };
    const said = await runGuide(['docs/guard.md', 'Query guard'], guarded, options);
    expect(said).toContain('runaway-adhoc: observes');
    expect(said).toContain("'same_query sandbox adhoc_paths' is not open");
    expect(said).toContain('holds up the nightly load');
    expect(said).toMatch(/^RECORDED AT .*OBSERVATION/m);
  });

  it('alerting', async () => {
    const [receivers = ''] = guideBlocks('docs/alerting.md', 'Set up a receiver', 'yaml');
    const { clusters } = parse(guarded);
    const { alerts } = parse(receivers);
    const config = { clusters, alerts: { ...alerts, rules: { node_unreachable: { for: '0s' } } } };
    const options = { changes: alertingChanges, before: alertingScript, down: '10.0.0.2' };
    const said = await runGuide(['docs/alerting.md', 'Alerting'], stringify(config), options);
    expect(said).toContain('GraphdbNodeUnreachable');
    expect(said).toContain('replacing the disk');
    expect(said).toContain('new disks');
  });

  it('readme', async () => {
    const sections = guideBlocks('README.md', 'graphwarden', 'yaml').map((block) => parse(block));
    const { scrape_configs: _, ...config } = Object.assign({}, ...sections);
    const options = { changes: readmeChanges, before: guardScript };
    const said = await runGuide(['README.md', 'graphwarden'], stringify(config), options);
    expect(said).toMatch(/^TIME .*SOURCE/m);
    expect(said).toContain('guard paused');
  });

  it('queries as metrics', async () => {
    const [custom = ''] = guideBlocks('docs/custom-queries.md', 'Metrics from queries', 'yaml');
    const { clusters } = parse(guarded);
    const config = stringify({ ...parse(custom), clusters });
    const said = await runGuide(['docs/custom-queries.md', 'Metrics from queries'], config);
    expect(said).toMatch(/^graph_degree_outliers\{.*type=/m);
  });

  it('opentelemetry', async () => {
    const [telemetry = ''] = guideBlocks('docs/opentelemetry.md', 'Enable the export', 'yaml');
    const { clusters } = parse(guarded);
    const config = stringify({ ...parse(telemetry), clusters });
    const said = await runGuide(['docs/opentelemetry.md', 'OpenTelemetry'], config, collectorRun());
    const request = ['prod', '131087.RESTPP_1_1.1790000000723.N'] as const;
    expect(said).toContain(`\n${querySpanContext(...request, digest).traceId}\n`);
  });

  it('status page', async () => {
    expect(await runGuide(['docs/status-page.md', 'Status page'], guarded)).toContain('http://127.0.0.1:9916/');
  });
});
