import { describe, expect, it } from 'vitest';
import { LatestResults } from '../../src/collect/latest-results.ts';
import type { PollResult } from '../../src/collect/poll-runner.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { Instant } from '../../src/kernel/time.ts';
import type { CollectorTarget } from '../../src/model/collector-key.ts';

const target: CollectorTarget = { cluster: 'prod', collector: 'metrics', node: '' };

function at(mono: number): Instant {
  return { wall: 1_790_000_000_000 + mono, mono };
}

function good(mono: number, source = 'm1'): PollResult {
  return { result: ok('facts'), source, started: at(mono - 10), ended: at(mono) };
}

function bad(mono: number, source = 'm1'): PollResult {
  return { result: err(failure('status', 'no')), source, started: at(mono - 10), ended: at(mono) };
}

describe('the latest poll result', () => {
  it('is unknown before the first', () => {
    const board = new LatestResults();
    expect(board.latest(target)).toBeUndefined();
    expect(board.isFresh(target)).toBe(false);
    expect(board.all()).toEqual([]);
  });

  it('remembers the last success over failures', () => {
    const board = new LatestResults();
    expect(board.record(target, bad(100), 1000).lastSuccess).toBeUndefined();
    expect(board.record(target, good(200), 1000).lastSuccess).toEqual(at(200));
    const entry = board.record(target, bad(300), 1000);
    expect(entry.lastSuccess).toEqual(at(200));
    expect(entry.fresh).toBe(false);
    expect(board.latest(target)).toBe(entry);
  });

  it('is a failure if the node returned no facts', () => {
    const board = new LatestResults();
    expect(board.hasFailed(target)).toBe(false);
    board.record(target, bad(100), 1000);
    expect(board.hasFailed(target)).toBe(true);
    const partial = { ...err(failure('status', 'no')), partial: 'some facts' };
    board.record(target, { ...bad(200), result: partial }, 1000);
    expect(board.hasFailed(target)).toBe(false);
    board.record(target, good(300), 1000);
    expect(board.hasFailed(target)).toBe(false);
  });

  it('is separate for each target', () => {
    const board = new LatestResults();
    board.record(target, good(100), 1000);
    expect(board.isFresh({ ...target, node: 'm1' })).toBe(false);
    expect(board.isFresh({ ...target, cluster: 'test' })).toBe(false);
    expect(board.all('test')).toEqual([]);
    expect(board.all('prod')).toHaveLength(1);
  });

  it('becomes overdue first of all fresh ones if its lifetime ends first', () => {
    const board = new LatestResults();
    expect(board.nextOverdue()).toBe(Number.POSITIVE_INFINITY);
    board.record(target, good(100), 5000);
    board.record({ ...target, collector: 'license' }, good(200), 1000);
    board.record({ ...target, collector: 'health' }, bad(300), 100);
    expect(board.nextOverdue()).toBe(1200);
    board.markStale(at(1200));
    expect(board.nextOverdue()).toBe(5100);
  });

  it('is dropped with its target', () => {
    const board = new LatestResults();
    board.record(target, good(100), 1000);
    board.record({ ...target, node: 'm2' }, good(100), 1000);
    board.forget(({ node }) => node === 'm2');
    expect(board.all().map((entry) => entry.node)).toEqual(['']);
  });
});

describe('overdue', () => {
  it.each([
    ['a good result before its deadline', good(1000), 1999, 0],
    ['a good result at its deadline', good(1000), 2000, 1],
    ['a failed result, which exports no samples', bad(1000), 5000, 0],
  ])('is evaluated for %s', (_, result, now, count) => {
    const board = new LatestResults();
    board.record(target, result, 1000);
    expect(board.markStale(at(now))).toHaveLength(count);
  });

  it('is reported once', () => {
    const board = new LatestResults();
    board.record(target, good(0), 1000);
    expect(board.markStale(at(1500))).toHaveLength(1);
    expect(board.isFresh(target)).toBe(false);
    expect(board.markStale(at(9000))).toEqual([]);
    board.record(target, good(9000), 1000);
    expect(board.isFresh(target)).toBe(true);
  });

  it('excludes scheduled collectors', () => {
    const board = new LatestResults();
    board.record(target, good(0), Number.POSITIVE_INFINITY);
    expect(board.markStale(at(1e12))).toEqual([]);
  });
});

describe('candidate nodes', () => {
  const nodes = ['m1', 'm2', 'm3'];
  it.each([
    ['in the order of the configuration at first', undefined, [], ['m1', 'm2', 'm3']],
    ['with the source of last time first', 'm3', [], ['m3', 'm1', 'm2']],
    ['with those that are down last', undefined, ['m1'], ['m2', 'm3', 'm1']],
    ['with the source behind the healthy ones while it is down', 'm2', ['m2', 'm1'], ['m3', 'm2', 'm1']],
    ['completely even if all are down', 'm2', ['m1', 'm2', 'm3'], ['m2', 'm1', 'm3']],
    ['without a source that is no node any more', 'm9', [], ['m1', 'm2', 'm3']],
  ])('come %s', (_, source, down, expected) => {
    const board = new LatestResults();
    if (source !== undefined) board.record(target, good(0, source), 1000);
    expect(board.candidateNodes(target, nodes, new Set(down))).toEqual(expected);
  });

  it('keep their source over a failure, for each collector separately', () => {
    const board = new LatestResults();
    board.record(target, good(0, 'm2'), 1000);
    board.record(target, bad(10, 'm3'), 1000);
    expect(board.candidateNodes(target, nodes, new Set())[0]).toBe('m2');
    expect(board.sourceOf(target)).toBe('m2');
    expect(board.sourceOf({ ...target, collector: 'license' })).toBeUndefined();
    expect(board.candidateNodes({ ...target, collector: 'license' }, nodes, new Set())[0]).toBe('m1');
    board.forget(() => true);
    expect(board.candidateNodes(target, nodes, new Set())[0]).toBe('m1');
  });
});

it('partial facts become overdue as complete ones do', () => {
  const board = new LatestResults();
  const partial = { ...bad(100), result: { ok: false, error: failure('status', 'no'), partial: 'facts' } } as const;
  expect(board.record(target, partial, 1000)).toMatchObject({ fresh: false, hasFacts: true });
  expect(board.nextOverdue()).toBe(1100);
  expect(board.markStale(at(1099))).toEqual([]);
  expect(board.markStale(at(1100))).toMatchObject([{ fresh: false, hasFacts: false }]);
  expect(board.markStale(at(1200))).toEqual([]);
  expect(board.record(target, bad(1300), 1000).hasFacts).toBe(false);
});
