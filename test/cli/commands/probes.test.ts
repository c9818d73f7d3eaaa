import { expect, it } from 'vitest';
import { probeSchema } from '../../../src/api/probes.ts';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { probeTable } from '../../../src/cli/commands/probes.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { livePorts } from '../../support/live-ports.ts';
import { pagesOf } from '../../support/page-of.ts';
import { serve } from '../../support/served-listener.ts';

const failing = probeSchema.parse(exampleOf(probeSchema));
const healthy = { ...failing, probe: 'write', state: 'healthy', reason: '', message: '', node: 'm2' } as const;
const old = { ...healthy, probe: 'old', state: 'unknown', lastRun: '2026-01-31T11:00:00.000Z' } as const;
const never = {
  ...old,
  probe: 'never',
  lastRun: null,
  durationSeconds: null,
  successRatio: null,
  node: '',
  source: '',
  nextRun: null,
} as const;
const now = Date.parse('2026-01-31T12:00:10Z');
const all = [healthy, old, never, failing];

it('probes are a table, failing ones first, then those without a current result', () => {
  const lines = probeTable(all, now).split('\n');
  expect(lines.map((line) => line.replaceAll(/ {2,}/g, '|'))).toEqual([
    'PROBE|STATE|REASON|LAST RUN|DURATION|SUCCESS|OBJECTIVE|NODE|NEXT|KIND|GRAPH|CLUSTER|MESSAGE',
    "ring_scan|failing|count|10s ago|250ms|98.5%|99%|any (m1)|in 50s|installed_query|fraud|prod|'0.rings' has 0 entries, fewer than min (1)",
    'old|unknown|old result|1h ago|250ms|98.5%|99%|m2|in 50s|installed_query|fraud|prod',
    'never|unknown|not run|-|99%|any (none)|now|installed_query|fraud|prod',
    'write|healthy|10s ago|250ms|98.5%|99%|m2|in 50s|installed_query|fraud|prod',
    '',
  ]);
  expect(probeTable([], now)).toBe('no probes\n');
});

it('the table of probes fits 80 columns, with the failure, and --wide shows all columns', () => {
  const terminal = { columns: 80, wide: false };
  const narrow = probeTable(all, now, terminal);
  expect(narrow.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(narrow).toMatch(/^PROBE .*STATE .*REASON .*LAST RUN/);
  expect(narrow).toContain('not shown: ');
  expect(probeTable(all, now, { ...terminal, wide: true })).toBe(probeTable(all, now));
});

it('names of a server cannot control the terminal', () => {
  const hostile = { ...failing, probe: '\u001B[2J', graph: 'a\u202Eb', message: 'x\r\ny' };
  const text = probeTable([hostile], now);
  for (const character of ['\u001B', '\u202E', '\r']) expect(text).not.toContain(character);
});

it('probes are requested with the filters', async () => {
  const requested: string[] = [];
  const { url } = await serve(pagesOf({ '/api/v1/probes': [failing] }, requested));
  const ports = livePorts();
  expect(await runCli(['probes', '--url', url, '--state', 'failing', '--json'], commands, ports)).toBe(0);
  expect(JSON.parse(ports.stdout.text())).toEqual([failing]);
  expect(requested).toEqual(['/api/v1/probes?state=failing&limit=1000&offset=0']);
});

it('an unknown kind or state is an error with a suggestion', async () => {
  const ports = livePorts();
  expect(await runCli(['probes', '--kind', 'vertx'], commands, ports)).toBe(2);
  expect(ports.stderr.text()).toContain('vertex');
});
