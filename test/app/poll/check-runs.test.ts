import { describe, expect, it } from 'vitest';
import { CheckRuns } from '../../../src/app/poll/check-runs.ts';
import type { CollectorFeed } from '../../../src/app/poll/collector-feed.ts';
import { consistency } from '../../../src/collect/consistency.ts';
import { health } from '../../../src/collect/health.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { CheckResult } from '../../../src/model/node.ts';

const start = Date.UTC(2026, 0, 25, 3, 0, 0);

function verdict(check: CheckResult['check'], unsynced: number, more: Partial<CheckResult> = {}): CheckResult {
  return { check, graph: 'fraud', partition: '1', engine: 'GPE', passed: unsynced === 0, unsynced, ...more };
}

function run(check: CheckResult['check'], ...results: readonly CheckResult[]) {
  return { check, results };
}

/** Receives the results of polls that each take a minute, an hour apart. */
function receiver() {
  const runs = new CheckRuns();
  let polls = 0;
  const receive = (
    result: Parameters<CheckRuns['onPollResult']>[1]['result'],
    { definition = consistency, cluster = 'prod' }: { definition?: CollectorFeed['definition']; cluster?: string } = {},
  ): void => {
    const started = { wall: start + polls * 3_600_000, mono: polls * 3_600_000 };
    polls += 1;
    const ended = { wall: started.wall + 60_000, mono: started.mono + 60_000 };
    const feed = { cluster, collector: definition.name, node: '', definition, labels: {}, passthrough: false };
    runs.onPollResult(feed, { result, source: 'm1', started, ended });
  };
  return { runs, receive };
}

describe('runs of checks', () => {
  it('have one verdict for all parts, and the duration that the server states, the latest first', () => {
    const { runs, receive } = receiver();
    receive(ok([run('data_consistency', verdict('data_consistency', 0, { durationMillis: 4000 }))]));
    receive(
      ok([run('data_consistency', verdict('data_consistency', 0), verdict('data_consistency', 3, { graph: 'web' }))]),
    );
    expect(runs.latest(['prod'])).toEqual([
      {
        cluster: 'prod',
        check: 'data_consistency',
        endedAt: start + 3_660_000,
        duration: undefined,
        verdict: 'failed',
        unsyncedEntries: 3,
        message: '',
      },
      {
        cluster: 'prod',
        check: 'data_consistency',
        endedAt: start + 60_000,
        duration: 4000,
        verdict: 'passed',
        unsyncedEntries: 0,
        message: '',
      },
    ]);
  });

  it('without a result are listed with the reason, after the results that arrived', () => {
    const { runs, receive } = receiver();
    const error = failure('timeout', 'no response within 30m');
    receive({ ok: false, error, partial: [run('data_consistency', verdict('data_consistency', 0))] });
    receive({ ok: false, error });
    const shown = runs.latest(['prod']).map((one) => [one.check, one.verdict, one.duration, one.message]);
    expect(shown).toEqual([
      ['consistency', 'no result', 60_000, 'no response within 30m'],
      ['data_consistency', 'passed', undefined, ''],
      ['consistency', 'no result', 60_000, 'no response within 30m'],
    ]);
  });

  it('are the latest 20 of each check and cluster, and of checks alone', () => {
    const { runs, receive } = receiver();
    for (let count = 0; count < 25; count += 1) receive(ok([run('deleted_vertex', verdict('deleted_vertex', 0))]));
    receive(ok([run('deleted_vertex', verdict('deleted_vertex', 0))]), { cluster: 'test' });
    receive(ok(true), { definition: health });
    expect(runs.latest(['prod'])).toHaveLength(20);
    expect(runs.latest(['prod'])[0]?.endedAt).toBe(start + 24 * 3_600_000 + 60_000);
    expect(runs.latest(['prod', 'test'])).toHaveLength(21);
    expect(runs.latest([])).toEqual([]);
  });
});
