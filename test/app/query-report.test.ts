import { describe, expect, it } from 'vitest';
import type { Feed } from '../../src/app/content.ts';
import { Pipeline } from '../../src/app/pipeline.ts';
import { reportQueries } from '../../src/app/query-report.ts';
import { Board } from '../../src/collect/board.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import { health } from '../../src/collect/health.ts';
import { queries } from '../../src/collect/queries.ts';
import { createPage } from '../../src/expose/create-page.ts';
import type { Failure } from '../../src/kernel/failure.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { idleGuard } from './fake-site.ts';
import { clusterOf, configOf, testbed } from './fakes.ts';
import { guardOf, runaway } from './guard-scene.ts';

const scan = { graph: 'fraud', query: 'ring_scan', kind: 'installed' } as const;
const pace = { interval: 5000, lifetime: 15_000 };

function feed(of: Feed['of'], node: string): Feed {
  return { cluster: 'prod', collector: of.name, node, of, labels: {}, passthrough: false };
}

/** A site that looks at these readings alone. */
async function siteWith(
  readings: readonly (readonly [of: Feed['of'], node: string, result: Result<unknown, Failure>])[],
) {
  const clock = new FakeClock();
  const board = new Board();
  const pipeline = new Pipeline(board, createPage(configOf([]).limits, clock), recordingLogger());
  await pipeline.declare(
    'prod',
    readings.map(([of, node]) => feed(of, node)),
  );
  for (const [of, node, result] of readings) {
    const now = clock.now();
    await pipeline.take(
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
    const site = await siteWith([
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
    const nothing = { policy: null, matchesAt: null, abortAt: null, protected: null };
    const common = { cluster: 'prod', graph: 'fraud', query: 'ring_scan', kind: 'installed', asOf, ...nothing };
    expect(reportQueries(site)).toEqual([
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

  it('leaves out lists that failed, and those that are overdue', async () => {
    const failed = await siteWith([[queries, 'm1', err(failure('timeout', 'no answer'))]]);
    expect(reportQueries(failed)).toEqual([]);
    const old = await siteWith([[queries, 'm1', running({ ...scan, requestId: 'a', elapsed: 1 })]]);
    expect(reportQueries(old)).toHaveLength(1);
    await old.clock.advance(16_000);
    await old.pipeline.expire(old.clock.now());
    expect(reportQueries(old)).toEqual([]);
  });

  it('has what the guard says of each, whatever cluster it is of', async () => {
    const site = await siteWith([
      [queries, 'm1', running({ ...scan, requestId: 'a', elapsed: 1000 })],
      [delayedQueries, 'm1', ok({ graphs: [], queries: [{ ...scan, partialId: '17', elapsed: 3000 }] })],
    ]);
    const guard = guardOf({ policies: [runaway], protect: [{ node: 'm1', query: 'ring_scan' }] });
    site.guard.follow({ ...configOf([clusterOf('prod', ['m1'])]), guard });
    const told = reportQueries(site).map(({ id, policy, protected: shielded }) => [id, policy, shielded]);
    expect(told).toEqual([
      ['17', null, true],
      ['a', null, true],
    ]);
  });
});
