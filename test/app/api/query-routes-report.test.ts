import { describe, expect, it } from 'vitest';
import { reportQueries } from '../../../src/app/api/query-routes.ts';
import type { CollectorFeed } from '../../../src/app/poll/collector-feed.ts';
import { Pipeline } from '../../../src/app/poll/pipeline.ts';
import { delayedQueries } from '../../../src/collect/delayed-queries.ts';
import { health } from '../../../src/collect/health.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import { queries } from '../../../src/collect/queries.ts';
import { createMetricsPage } from '../../../src/expose/create-metrics-page.ts';
import type { Failure } from '../../../src/kernel/failure.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { idleGuard } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';
import { guardOf, runaway } from '../guard/guard-fixture.ts';

const scan = { graph: 'fraud', query: 'ring_scan', kind: 'installed' } as const;
const pace = { interval: 5000, lifetime: 15_000 };

function feed(definition: CollectorFeed['definition'], node: string): CollectorFeed {
  return { cluster: 'prod', collector: definition.name, node, definition, labels: {}, passthrough: false };
}

/** Returns route dependencies with only these poll results. */
async function dependenciesWith(
  readings: readonly (readonly [of: CollectorFeed['definition'], node: string, result: Result<unknown, Failure>])[],
) {
  const clock = new FakeClock();
  const board = new LatestResults();
  const pipeline = new Pipeline(board, createMetricsPage(configOf([]).limits, clock), recordingLogger());
  await pipeline.setFeeds(
    'prod',
    readings.map(([of, node]) => feed(of, node)),
  );
  for (const [of, node, result] of readings) {
    const now = clock.now();
    await pipeline.accept(
      { cluster: 'prod', collector: of.name, node },
      { result, source: node, started: now, ended: now },
      pace,
    );
  }
  return { clock, board, pipeline, guard: idleGuard(testbed().ports) };
}

function running(...listed: readonly object[]) {
  return ok({ graphs: ['fraud'], queries: listed });
}

describe('the report of queries', () => {
  it('has those of all nodes, the oldest first', async () => {
    const dependencies = await dependenciesWith([
      [queries, 'm1', running({ ...scan, requestId: 'a', elapsed: 1000, grantedTimeout: 16_000 })],
      [
        queries,
        'm2',
        running({ ...scan, requestId: 'b', elapsed: 20_000, grantedTimeout: 16_000 }, { ...scan, requestId: 'c' }),
      ],
      [delayedQueries, 'm1', ok({ graphs: [], queries: [{ ...scan, partialId: '17', elapsed: 3000 }] })],
      [health, 'm1', err(failure('timeout', 'no answer'))],
    ]);
    const asOf = '2026-09-22T04:53:20.000Z';
    const nothing = {
      policy: null,
      matchesAt: null,
      earliestAbortAt: null,
      protected: null,
      mode: null,
      held: null,
      heldUntil: null,
    };
    const common = { cluster: 'prod', graph: 'fraud', query: 'ring_scan', kind: 'installed', asOf, ...nothing };
    expect(reportQueries(dependencies)).toEqual([
      {
        ...common,
        node: 'm2',
        state: 'running',
        id: 'b',
        ageSeconds: 20,
        grantedTimeoutSeconds: 16,
        remainingSeconds: -4,
        overdue: true,
      },
      {
        ...common,
        node: 'm1',
        state: 'delayed',
        id: '17',
        ageSeconds: 3,
        grantedTimeoutSeconds: null,
        remainingSeconds: null,
        overdue: false,
      },
      {
        ...common,
        node: 'm1',
        state: 'running',
        id: 'a',
        ageSeconds: 1,
        grantedTimeoutSeconds: 16,
        remainingSeconds: 15,
        overdue: false,
      },
      {
        ...common,
        node: 'm2',
        state: 'running',
        id: 'c',
        ageSeconds: null,
        grantedTimeoutSeconds: null,
        remainingSeconds: null,
        overdue: false,
      },
    ]);
  });

  it('omits lists that failed or are overdue', async () => {
    const failed = await dependenciesWith([[queries, 'm1', err(failure('timeout', 'no answer'))]]);
    expect(reportQueries(failed)).toEqual([]);
    const old = await dependenciesWith([[queries, 'm1', running({ ...scan, requestId: 'a', elapsed: 1 })]]);
    expect(reportQueries(old)).toHaveLength(1);
    await old.clock.advance(16_000);
    await old.pipeline.expire(old.clock.now());
    expect(reportQueries(old)).toEqual([]);
  });

  it('has the guard fields of each query, in every cluster', async () => {
    const dependencies = await dependenciesWith([
      [queries, 'm1', running({ ...scan, requestId: 'a', elapsed: 1000 })],
      [delayedQueries, 'm1', ok({ graphs: [], queries: [{ ...scan, partialId: '17', elapsed: 3000 }] })],
    ]);
    const guard = guardOf({ policies: [runaway], protect: [{ node: 'm1', query: 'ring_scan' }] });
    dependencies.guard.applyConfig({ ...configOf([clusterOf('prod', ['m1'])]), guard });
    const reported = reportQueries(dependencies).map(({ id, policy, protected: shielded }) => [id, policy, shielded]);
    expect(reported).toEqual([
      ['17', null, true],
      ['a', null, true],
    ]);
  });
});
