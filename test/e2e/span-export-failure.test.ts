import { afterEach, expect, it } from 'vitest';
import { spanDropReasons } from '../../src/model/span.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { eventually } from '../support/child.ts';
import { heapInUse } from '../support/heap.ts';
import { recordingLogger } from '../support/logger.ts';
import { type GuardEnvironment, startGuardEnvironment } from './guard-environment.ts';
import { exportsTo } from './span-lookups.ts';

/** Address without a listener: port 1 is reserved. */
const unreachableEndpoint = 'http://127.0.0.1:1';
const perRound = 20;
/** Rounds of ten seconds. */
const rounds = numberOfRuns({ short: 60, campaign: 360 });

afterEach(() => {
  delete process.env.OTEL_BSP_MAX_QUEUE_SIZE;
});

/** Lets queries come and go, each long enough to be listed twice. */
async function busy(environment: GuardEnvironment, times: number): Promise<void> {
  const node = environment.simulator.nodes[0]?.name ?? '';
  for (let round = 0; round < times; round += 1) {
    for (let count = 0; count < perRound; count += 1) {
      environment.simulator.control.startQuery({
        node,
        graph: 'fraud',
        query: 'ring_scan',
        runsFor: 11_000,
        timeout: 60_000,
      });
    }
    await environment.run(10_000);
  }
}

it('span export survives an endpoint that is down, without more memory or lost polls, and counts dropped spans', async () => {
  // So few that there is no room for them also where the machine is busy and the library has time to throw some away.
  process.env.OTEL_BSP_MAX_QUEUE_SIZE = '100';
  const log = recordingLogger();
  const spanExports = await exportsTo(unreachableEndpoint, log);
  const environment = await startGuardEnvironment({
    guard: {},
    simulated: { maxConcurrentQueries: 200 },
    world: { spanExports },
  });
  await busy(environment, rounds / 4);
  const before = heapInUse();
  await busy(environment, (rounds * 3) / 4);
  const grown = heapInUse() - before;
  const page = await environment.clock.through(environment.daemon().page());
  const lists = environment.simulator.calls().filter(({ path }) => path.endsWith('showprocesslistall')).length;
  // Exports begin every five seconds of real time, which the simulated time may overtake.
  await eventually('a failed export is logged', async () => log.lines.length > 0);
  await environment.stop();
  await spanExports.close(1000);

  const { exported, dropped } = spanExports.counts();
  expect(exported).toBe(0);
  expect(dropped.queue_full).toBeGreaterThan(rounds * 2);
  // Each query has its one span, but for those that were still listed in the end.
  const all = spanDropReasons.reduce((sum, reason) => sum + dropped[reason], 0);
  expect(all).toBeGreaterThanOrEqual((rounds - 3) * perRound);
  expect(lists).toBeGreaterThan(rounds * 2 * 0.98);
  expect(grown).toBeLessThan(6 * 2 ** 20);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([['warn', 'telemetry export failed']]);
  expect(page.value('graphwarden_spans_exported_total')).toBe(0);
  expect(page.value('graphwarden_spans_dropped_total', { reason: 'queue_full' })).toBeGreaterThan(rounds * 2);
  process.stdout.write(
    `grown by ${(grown / 2 ** 20).toFixed(1)} MiB in ${rounds / 8} minutes, ${lists} lists, ${all} spans dropped\n`,
  );
}, 400_000);
