import { describe, expect, it } from 'vitest';
import { contentOf, feedOf, labelsOf } from '../../src/app/content.ts';
import type { Planned } from '../../src/app/plan.ts';
import { Board } from '../../src/collect/board.ts';
import type { Collector } from '../../src/collect/collector.ts';
import type { Reading } from '../../src/collect/runner.ts';
import { ShownMemory } from '../../src/collect/withheld.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { ParsedFamily } from '../../src/model/exposition.ts';
import { valueTexts } from '../../src/model/value-texts.ts';
import { clusterOf, fakeCollectors, settingsOf, World } from './fakes.ts';

const cluster = clusterOf('prod', ['m1'], { labels: { env: 'x' } });
const planned: readonly Planned[] = fakeCollectors(new World()).map((collector) => ({
  collector,
  settings: settingsOf(collector),
}));
const theirs: ParsedFamily = { name: 'svc_x', type: 'gauge', help: '', series: [], values: valueTexts([]) };

function of(name: string): Planned {
  return planned.find(({ collector }) => collector.name === name) ?? expect.fail(name);
}

function reading(result: Reading['result']): Reading {
  return { result, source: 'm1', started: { wall: 0, mono: 0 }, ended: { wall: 1000, mono: 1000 } };
}

function show(name: string, node: string, result: Reading['result'], before?: (board: Board) => void) {
  const board = new Board();
  const feed = feedOf(cluster, of(name), node, planned);
  before?.(board);
  board.note(feed, reading(result), 1000);
  const content = contentOf(feed, new ShownMemory(), board);
  return content && [...content.samples].map(({ metric, value }) => `${metric.name} ${value}`);
}

describe('a feed', () => {
  it('carries the labels of its cluster, and its node where it has one', () => {
    expect(labelsOf(feedOf(cluster, of('health'), 'm1', planned))).toEqual({
      cluster_name: 'prod',
      env: 'x',
      node: 'm1',
    });
    expect(labelsOf(feedOf(cluster, of('load'), '', planned))).toEqual({ cluster_name: 'prod', env: 'x' });
  });

  it('knows who is better, if that one runs at all', () => {
    expect(feedOf(cluster, of('backup'), '', planned).better?.name).toBe('load');
    expect(feedOf(cluster, of('backup'), '', [of('backup')]).better).toBeUndefined();
    expect(feedOf(cluster, of('load'), '', planned).better).toBeUndefined();
  });
});

describe('the content of a feed', () => {
  it('is empty before the first reading', () => {
    const content = contentOf(feedOf(cluster, of('load'), '', planned), new ShownMemory(), new Board());
    expect([...(content?.samples ?? expect.fail())]).toEqual([]);
  });

  it.each([
    ['a good reading', ['load', '', ok(7)], ['graphdb_load 7', 'graphdb_bytes_total 7']],
    ['a failure with something to say', ['health', 'm1', err(failure('timeout', 'x'))], ['graphdb_up 0']],
    ['a failure without', ['load', '', err(failure('timeout', 'x'))], undefined],
    ['a part', ['health', 'm1', { ...err(failure('auth', 'x')), partial: 1 }], ['graphdb_up 1']],
  ] as const)('is right for %s', (_, [name, node, result], expected) => {
    expect(show(name, node, result)).toEqual(expected);
  });

  it('leaves out what a better one shows', () => {
    const loaded = (board: Board): void =>
      void board.note(feedOf(cluster, of('load'), '', planned), reading(ok(7)), 1000);
    expect(show('backup', '', ok(1), loaded)).toEqual(['graphdb_collected 1']);
    expect(show('backup', '', ok(1))).toEqual(['graphdb_load 101', 'graphdb_collected 1']);
  });

  it('is the failure to read where the last good one is overdue', () => {
    const board = new Board();
    const feed = feedOf(cluster, of('health'), 'm1', planned);
    board.note(feed, reading(ok(1)), 1000);
    board.overdue({ wall: 2000, mono: 2000 });
    const content = contentOf(feed, new ShownMemory(), board);
    expect([...(content?.samples ?? [])].map(({ value }) => value)).toEqual([0]);
  });

  it.each([true, false])("hands the server's own families on where that is wanted: %s", (passthrough) => {
    const collector: Collector = { ...of('load').collector, passthrough: () => [theirs] };
    const feed = feedOf(cluster, { collector, settings: settingsOf(collector, { passthrough }) }, '', []);
    const board = new Board();
    board.note(feed, reading(ok(1)), 1000);
    expect(contentOf(feed, new ShownMemory(), board)?.passthrough).toEqual(passthrough ? [theirs] : undefined);
  });
});
