import { describe, expect, it } from 'vitest';
import { formatReplay } from '../../src/cli/replay-report.ts';
import type { ReplayReport } from '../../src/guard/recording/replay.ts';
import type { ReplayedDecision } from '../../src/guard/recording/replay-results.ts';

const begin = Date.UTC(2026, 8, 21, 14, 0, 0);

function decision(changes: Partial<ReplayedDecision>): ReplayedDecision {
  return {
    policy: 'runaway',
    mode: 'enforce',
    node: 'm1',
    graph: 'fraud',
    query: 'ring_scan',
    id: '7.RESTPP_1_1.1790000000000.N',
    matchedAt: begin + 60_000,
    due: begin + 90_000,
    age: 630_000,
    grantedTimeout: 3_600_000,
    verdict: 'aborted',
    at: begin + 92_000,
    ranOn: 125_400,
    ...changes,
  };
}

const report: ReplayReport = {
  cluster: 'prod',
  from: begin,
  to: begin + 3_600_000,
  nodes: [
    { node: 'm1', lists: 720, failed: 2, voids: { too_slow: 3 }, leftOut: { ages: 9 }, coveredAt: begin + 45_000 },
    { node: 'm2', lists: 719, failed: 0, voids: {}, leftOut: {} },
  ],
  decisions: [
    decision({}),
    decision({ policy: 'older', mode: 'observe', verdict: 'would_abort', reason: 'cooldown', at: begin + 150_000 }),
    decision({ verdict: 'held', reason: 'node_budget', query: 'pagerank' }),
    decision({ verdict: 'held', reason: 'breaker' }),
    decision({ verdict: 'over', reason: 'not_listed', due: begin + 100_000 }),
    decision({ verdict: 'over', reason: 'unknown_graph', due: begin + 100_000 }),
    decision({ verdict: 'open', due: begin + 3_610_000, matchedAt: begin + 3_580_000 }),
  ],
  unlisted: 4,
  policies: [
    {
      policy: 'runaway',
      mode: 'enforce',
      matches: 6,
      verdicts: { aborted: 1, would_abort: 0, held: 2, over: 2, open: 1 },
    },
    {
      policy: 'older',
      mode: 'observe',
      matches: 1,
      verdicts: { aborted: 0, would_abort: 1, held: 0, over: 0, open: 0 },
    },
  ],
  unknown: [{ policy: 'deep', lacks: ['when.params.depth like 4* or 9', 'gate.queue_depth'], matches: 12 }],
  breakers: [{ breaker: 'same_query fraud ring_scan', at: begin + 93_000 }],
  settings: [
    {
      graph: 'fraud',
      query: 'ring_scan',
      aborts: 2,
      policies: ['runaway', 'older'],
      timeout: 630_000,
      atOnce: 3,
      queueLimit: 20,
    },
    { graph: 'fraud', query: 'other', aborts: 1, policies: ['runaway'], timeout: 20_000 },
  ],
};

const golden = `\
prod, 2026-09-21 14:00:00Z to 2026-09-21 15:00:00Z (1h). Replay: no requests and no notifications are sent.

m1: 720 lists, 2 failed, 3 void (too_slow), 9 entries skipped (ages), covered since 2026-09-21 14:00:45Z
m2: 719 lists, never covered: no query on it can be aborted
`;

describe('replay report', () => {
  it('contains nodes, decisions, totals, breakers and settings', async () => {
    await expect(formatReplay(report)).toMatchFileSnapshot('../golden/guard-replay.txt');
    expect(formatReplay(report).startsWith(golden)).toBe(true);
  });

  it('states that nothing matched and that no policy is replayable', () => {
    const text = formatReplay({
      ...report,
      decisions: [],
      unlisted: 0,
      policies: [],
      unknown: [],
      breakers: [],
      settings: [],
    });
    expect(text.slice(golden.length)).toBe(`
No policy matched a confirmed query.

No policy of this cluster is replayable.
`);
  });

  it('contains no control characters', () => {
    const text = formatReplay({ ...report, cluster: 'prod\u001b[2J', decisions: [decision({ query: 'a\nb\u0007' })] });
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text.split('\n').find((line) => line.includes('a b'))).toBeDefined();
  });
});
