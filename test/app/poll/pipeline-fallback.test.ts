import { describe, expect, it } from 'vitest';
import { type CollectorFeed, createFeed } from '../../../src/app/poll/collector-feed.ts';
import type { PlannedCollector } from '../../../src/app/poll/collector-plan.ts';
import { Pipeline } from '../../../src/app/poll/pipeline.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import { createMetricsPage } from '../../../src/expose/create-metrics-page.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { type Sample, sample } from '../../../src/metric/metric.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { fakeCollectors } from '../fake-collectors.ts';
import { clusterOf, configOf, FakeClusters, settingsOf } from '../fakes.ts';

const prod = clusterOf('prod', ['m1']);
const planned: readonly PlannedCollector[] = fakeCollectors(new FakeClusters()).map((collector) => ({
  collector,
  settings: settingsOf(collector),
}));
const load = feedNamed('load');
const counter = load.definition.metrics.find(({ keep }) => keep) ?? expect.fail('a counter');
/** Stands in for `load`, with the same counter. */
const backup = { ...feedNamed('backup'), definition: { ...feedNamed('backup').definition, samples: counted } };

function feedNamed(name: string): CollectorFeed {
  const one = planned.find(({ collector }) => collector.name === name) ?? expect.fail(name);
  return createFeed(prod, one, '', planned);
}

function counted(facts: unknown): readonly Sample[] {
  return [sample(counter, {}, Number(facts))];
}

async function setUp() {
  const clock = new FakeClock();
  const page = createMetricsPage(configOf([]).limits, clock);
  const pipeline = new Pipeline(new LatestResults(), page, recordingLogger());
  await pipeline.setFeeds('prod', [load, backup]);
  const pace = { interval: 5000, lifetime: 15_000 };
  const take = async (feed: CollectorFeed, value?: number): Promise<void> => {
    const result = value === undefined ? err(failure('status', 'no')) : ok(value);
    await pipeline.accept(feed, { result, source: 'm1', started: clock.now(), ended: clock.now() }, pace);
  };
  const counts = async (): Promise<readonly string[]> => {
    for (let turn = 0; turn < 5; turn += 1) await clock.settle();
    const { pieces } = await page.body('text', 'identity', '');
    const lines = Buffer.concat(pieces).toString().split('\n');
    return lines.filter((line) => line.startsWith(`${counter.name}{`)).map((line) => line.split(' ').at(-1) ?? '');
  };
  return { take, counts, clock };
}

describe('a counter of two collectors', () => {
  it('continues with the fallback collector, is exposed once, and remains when both fail', async () => {
    const { take, counts } = await setUp();
    await take(load, 7);
    await take(backup, 8);
    expect(await counts()).toEqual(['7']);
    await take(load);
    expect(await counts()).toEqual(['8']);
    await take(backup, 9);
    expect(await counts()).toEqual(['9']);
    await take(backup);
    await take(load);
    expect(await counts()).toEqual(['9']);
  });

  it('does not decrease when the preferred collector recovers', async () => {
    const { take, counts } = await setUp();
    await take(load);
    await take(backup, 9);
    await take(backup);
    await take(load, 10);
    expect(await counts()).toEqual(['10']);
    await take(load);
    expect(await counts()).toEqual(['10']);
  });

  it('does not decrease when a fallback with an older result takes over, nor when the preferred collector returns', async () => {
    const { take, counts } = await setUp();
    await take(backup, 8);
    await take(load, 12);
    await take(load);
    expect(await counts()).toEqual(['12']);
    await take(backup, 11);
    expect(await counts()).toEqual(['12']);
    await take(backup, 15);
    expect(await counts()).toEqual(['15']);
    await take(load, 14);
    expect(await counts()).toEqual(['15']);
  });

  it('is reset when the fallback stays lower', async () => {
    const { take, counts, clock } = await setUp();
    await take(load, 12);
    await take(load);
    for (const value of [3, 4, 5]) {
      await take(backup, value);
      expect(await counts()).toEqual(['12']);
      await clock.advance(50_000);
    }
    await take(backup, 6);
    expect(await counts()).toEqual(['6']);
  });

  it('keeps its value while no fallback applies', async () => {
    const { take, counts } = await setUp();
    await take(load, 7);
    await take(load);
    await take(backup);
    expect(await counts()).toEqual(['7']);
  });
});
