import { describe, expect, it } from 'vitest';
import { type QueryExplanationReport, queryExplanationSchema } from '../../../src/api/guard-why.ts';
import { explanationText } from '../../../src/cli/commands/guard-why.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { runCommand, startGuardApi } from '../guard-api.ts';

const report = queryExplanationSchema.parse(exampleOf(queryExplanationSchema));
const [policy] = report.policies;
if (policy === undefined) throw new Error('the example has no policy');
const { id } = report;

const textOf = (changes: Partial<QueryExplanationReport>) =>
  explanationText({ ...report, ...changes }, { columns: 80 });
const withPolicy = (changes: Partial<typeof policy>) => textOf({ policies: [{ ...policy, ...changes }] });

describe('guard why', () => {
  it('prints the explanation of one query', async () => {
    const { url } = await startGuardApi();
    const { code, out } = await runCommand(url, 'guard', 'why', 'prod/m1', id);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        `prod/m1 ${id}`,
        'ring_scan on fraud, running for 10:35',
        '',
        'policy runaway (enforce): held: cooldown since 2026-01-31 12:00:00Z, 0:41 left',
        '  match time 2026-01-31 11:59:30Z, earliest abort 2026-01-31 12:00:00Z',
        'HOLDS  CONDITION  VALUE',
        'yes    when.age   10m35s (wanted: > 10m)',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON for scripts', async () => {
    const { url } = await startGuardApi();
    const { out } = await runCommand(url, 'guard', 'why', 'prod/m1', id, '--json');
    expect(JSON.parse(out)).toEqual(report);
  });

  it.each([
    [['m1', id], 2, "'m1' is not CLUSTER/NODE, such as prod/m2"],
    [['prod/m1'], 2, "missing required argument 'ID'"],
    [['prod/m9', id], 1, "graphwarden: Cluster 'prod' has no node 'm9'. Did you mean 'm1'?"],
    [['prd/m1', id], 1, "graphwarden: Cluster 'prd' is not in the configuration. Did you mean 'prod'?"],
    [['test/m1', id], 1, "graphwarden: Cluster 'test' is not in the configuration.\n"],
    [['prod/m1', 'all'], 2, "'all' is not a request ID"],
  ])('%j ends with %d: %s', async (given, expected, message) => {
    const { url } = await startGuardApi();
    const { code, error } = await runCommand(url, 'guard', 'why', ...given);
    expect(code).toBe(expected);
    expect(error).toContain(message);
  });
});

describe('explanation as text', () => {
  it.each([
    ['does not match', { matchesAt: null, earliestAbortAt: null, matches: false, held: null }],
    ['abort in 0:07', { held: null, earliestAbortAt: '2026-01-31T12:00:12.000Z' }],
    ['would abort in 0:07', { mode: 'observe', held: null, earliestAbortAt: '2026-01-31T12:00:12.000Z' }],
    ['held: not covered', { held: 'not_covered', heldSince: null, heldUntil: null }],
    ['abort request sent', { phase: 'sent' }],
    ['matches, but another policy takes precedence', { owned: false }],
  ] as const)('is: %s', (expected, changes) => {
    expect(withPolicy(changes).split('\n')[3]).toBe(
      `policy runaway (${'mode' in changes ? 'observe' : 'enforce'}): ${expected}`,
    );
  });

  it('has the number of observations, and the reason why the policy cannot act', () => {
    const text = withPolicy({ observations: 1, notReady: ['graphs_unknown', 'node_budget'] });
    expect(text).toContain('observed in 1 of 2 lists');
    expect(text).toContain(
      '  cannot act on the node: the names of the graphs could not be read; the budget\n  of the node is spent\n',
    );
  });

  it('fits 80 columns for long names and many conditions', () => {
    const long = { section: 'when', name: 'granted_timeout', wanted: 'adhoc_a '.repeat(20), holds: null } as const;
    const gate = { section: 'gate', name: 'queue_oldest', wanted: '> 30s for 1m', seen: null, holds: null } as const;
    const lines = withPolicy({
      conditions: [{ ...long, seen: 'x'.repeat(120) }, gate],
      notReady: ['not_covered'],
    }).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join('\n')).toContain('no current value (wanted: > 30s for 1m)');
  });

  it('names the entry that protects the query', () => {
    const entry = { section: 'protect', name: 'query', wanted: 'ring_*', seen: 'ring_scan', holds: true } as const;
    const text = textOf({ protections: [[entry]] });
    expect(text).toContain('protected by guard.protect\n');
    expect(text).toContain('policy runaway (enforce): does not abort the query');
  });

  it('states that a query is not listed, with the outcome of its abort', () => {
    const gone = { listing: 'not_listed', graph: '', query: '', kind: '', ageSeconds: null, policies: [] } as const;
    expect(textOf({ ...gone, listedAt: null })).toBe(
      `prod/m1 ${id}\nnot listed in the last 5 minutes\nthe audit has no abort of this query\n`,
    );
    const abort = {
      key: 'k1',
      cluster: 'prod',
      node: 'm1',
      id,
      graph: 'fraud',
      query: 'ring_scan',
      policy: 'runaway',
      manual: null,
      ageSeconds: 630,
      grantedTimeoutSeconds: null,
      at: '2026-01-31T12:00:01.000Z',
      outcome: 'confirmed',
      endedAt: '2026-01-31T12:00:03.000Z',
    } as const;
    const text = textOf({ ...gone, listedAt: '2026-01-31T12:00:00.000Z', aborts: [abort] });
    expect(text).toContain('not listed since 2026-01-31 12:00:00Z\n');
    expect(text).toMatch(/2026-01-31 12:00:01Z +runaway +confirmed +2026-01-31 12:00:03Z/);
  });

  it('states that it is unknown whether a query runs without a recent list', () => {
    const unknown = { listing: 'no_list', graph: '', query: '', kind: '', ageSeconds: null, policies: [] } as const;
    const first = `prod/m1 ${id}\nunknown: no recent process list of the node`;
    expect(textOf({ ...unknown, listedAt: null })).toBe(`${first}\n`);
    const listedAt = '2026-01-31T12:00:00.000Z';
    expect(textOf({ ...unknown, listedAt })).toBe(`${first}, the query was last listed at 2026-01-31 12:00:00Z\n`);
  });

  it('names entries that no policy evaluates', () => {
    expect(textOf({ listing: 'skipped', kind: '', policies: [] })).toContain('skipped: the entry');
    expect(textOf({ kind: 'interpreted' })).toContain('not an installed query (interpreted)');
    expect(textOf({ policies: [] })).toContain('no policy covers the cluster');
  });
});
