import { describe, expect, it } from 'vitest';
import { feed, setUpPipeline } from './pipeline-setup.ts';

describe('pipeline listeners', () => {
  it('receive a poll result when the page shows it', async () => {
    const { page, good, bad, taken } = await setUpPipeline([feed('health', 'm1')]);
    const target = feed('health', 'm1');
    const shown = good(target, 1).then(() => page.values('graphdb_up'));
    expect(taken).toEqual([]);
    expect(await shown).toEqual(['1']);
    await bad(target, 'timeout');
    expect(taken).toEqual(['health@m1 good', 'health@m1 bad']);
  });

  it('receive the requested facts, with the node of node-scoped facts', async () => {
    const { pipeline, good } = await setUpPipeline([feed('health', 'm1'), feed('health', 'm2'), feed('load')]);
    await good(feed('health', 'm1'), 1);
    await good(feed('health', 'm2'), 1);
    await good(feed('load'), 5);
    expect(pipeline.facts('prod', 'graphdb_up').map(({ labels }) => labels.node)).toEqual(['m1', 'm2']);
    expect(pipeline.facts('prod', 'graphdb_load')).toEqual([{ labels: {}, value: 5 }]);
    expect(pipeline.facts('prod', 'graphdb_bytes_total')).toEqual([]);
    expect(pipeline.facts('test', 'graphdb_load')).toEqual([]);
  });

  it('receive the samples of a failed poll, if it has any', async () => {
    const { pipeline, good, bad } = await setUpPipeline([feed('health', 'm1'), feed('load')]);
    await good(feed('health', 'm1'), 1);
    await good(feed('load'), 5);
    await bad(feed('health', 'm1'));
    await bad(feed('load'));
    expect(pipeline.facts('prod', 'graphdb_up').map(({ value }) => value)).toEqual([0]);
    expect(pipeline.facts('prod', 'graphdb_load')).toEqual([]);
  });

  it('receive no overdue facts', async () => {
    const { pipeline, good, clock, pace } = await setUpPipeline([feed('load')]);
    await good(feed('load'), 5);
    await clock.advance(pace.lifetime);
    await pipeline.expire(clock.now());
    expect(pipeline.facts('prod', 'graphdb_load')).toEqual([]);
  });

  it('receive a fact once, from the collector that exposes it', async () => {
    const { pipeline, good } = await setUpPipeline([feed('load'), feed('backup')]);
    await good(feed('backup'), 5);
    expect(pipeline.facts('prod', 'graphdb_load').map(({ value }) => value)).toEqual([105]);
    await good(feed('load'), 6);
    await good(feed('backup'), 7);
    expect(pipeline.facts('prod', 'graphdb_load').map(({ value }) => value)).toEqual([6]);
  });

  it('keep a poll result that one of them cannot process, and the collector fails with body', async () => {
    const { pipeline, page, good, taken, log } = await setUpPipeline([feed('health', 'm1'), feed('load')]);
    const received: string[] = [];
    pipeline.subscribe(
      {
        onPollResult({ collector }) {
          if (collector === 'load') throw new RangeError('too deep');
        },
      },
      { onPollResult: ({ collector }) => received.push(collector) },
    );
    await good(feed('load'), 5);
    await good(feed('health', 'm1'), 1);
    expect([taken, received]).toEqual([
      ['load@ good', 'health@m1 good'],
      ['load', 'health'],
    ]);
    expect(pipeline.statusOf(feed('load'))?.failures.get('body')).toBe(1);
    expect(page.values('graphdb_load')).toEqual([]);
    const lines = log.lines.filter(({ level }) => level !== 'debug');
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'error processing poll result failed',
      'warn collector failed',
    ]);
  });
});
