import { describe, expect, it } from 'vitest';
import type { ListedQuery } from '../../src/model/query.ts';
import {
  type EndedQuery,
  endAsLost,
  noTrackedQueries,
  type QueryList,
  type TrackedQueries,
  trackList,
} from '../../src/trace/query-tracking.ts';

const wall = 1_790_000_000_000;

function query(id: string, more: Partial<ListedQuery> = {}): ListedQuery {
  return { state: 'running', id, graph: 'fraud', query: 'ring_scan', kind: 'installed', ...more };
}

/** A list at so many seconds. */
function listAt(seconds: number, queries: readonly ListedQuery[], more: Partial<QueryList> = {}): QueryList {
  const at = { wall: wall + seconds * 1000, mono: seconds * 1000 };
  return { queries, at, lifetime: 15_000, abortedBy: () => undefined, ...more };
}

/** Returns the ended queries of consecutive lists: for each list the ids with their outcomes. */
function reported(lists: readonly QueryList[], from: TrackedQueries = noTrackedQueries) {
  let tracked = from;
  const ended: EndedQuery[][] = [];
  for (const list of lists) {
    const step = trackList(tracked, list);
    tracked = step.tracked;
    ended.push([...step.ended]);
  }
  return { tracked, ended, words: ended.map((all) => all.map((one) => `${one.query.id} ${one.outcome}`).join(', ')) };
}

describe('tracked queries', () => {
  it('end when two lists in a row are without them, at the last one that had them', () => {
    const lists = [
      listAt(0, [query('a'), query('b')]),
      listAt(5, [query('a')]),
      listAt(10, []),
      listAt(15, []),
      listAt(20, []),
    ];
    const { words, ended, tracked } = reported(lists);
    expect(words).toEqual(['', '', 'b ended', 'a ended', '']);
    expect(ended[3]?.[0]).toMatchObject({
      firstSeen: { mono: 0 },
      lastSeen: { mono: 5000 },
      missedAt: { mono: 10_000 },
    });
    expect(tracked.open.size).toBe(0);
  });

  it('continue after a single list without them', () => {
    const { words, ended } = reported([
      listAt(0, [query('a')]),
      listAt(5, []),
      listAt(10, [query('a')]),
      listAt(15, []),
      listAt(20, []),
    ]);
    expect(words).toEqual(['', '', '', '', 'a ended']);
    expect(ended[4]?.[0]?.firstSeen.mono).toBe(0);
  });

  it('are reported once, even if a later list names one again', () => {
    const again = [query('a')];
    const lists = [listAt(0, again), listAt(5, []), listAt(10, []), listAt(15, again), listAt(20, []), listAt(25, [])];
    expect(reported(lists).words).toEqual(['', '', 'a ended', '', '', '']);
  });

  it.each([
    [9000, 16_000, 'expired'],
    [11_000, 16_000, 'expired'],
    [10_999, 16_000, 'ended'],
    [20_000, 16_000, 'expired'],
    [11_000, undefined, 'ended'],
    [undefined, 16_000, 'ended'],
  ])('at an age of %s with a timeout of %s are reported as %s', (age, grantedTimeout, outcome) => {
    const seen = query('a', {
      ...(age === undefined ? {} : { age }),
      ...(grantedTimeout === undefined ? {} : { grantedTimeout }),
    });
    const missing = age === 9000 ? 7 : 5;
    expect(reported([listAt(0, [seen]), listAt(missing, []), listAt(12, [])]).words.at(-1)).toBe(`a ${outcome}`);
  });

  it('that were aborted name the policy', () => {
    const old = { age: 60_000, grantedTimeout: 16_000 };
    const { ended, words } = reported([
      listAt(0, [query('a', old), query('b'), query('c')]),
      listAt(5, []),
      listAt(10, [], { abortedBy: (id) => ({ a: 'runaway', b: '' })[id] }),
    ]);
    expect(words.at(-1)).toBe('a aborted, b aborted, c ended');
    expect(ended.at(-1)?.map(({ policy }) => policy)).toEqual(['runaway', '', undefined]);
  });

  it('are lost if there was no poll when they ended', () => {
    const old = query('a', { age: 60_000, grantedTimeout: 16_000 });
    expect(reported([listAt(0, [old]), listAt(16, []), listAt(21, [])]).words.at(-1)).toBe('a lost');
    expect(reported([listAt(0, [query('a')]), listAt(15, []), listAt(60, [])]).words.at(-1)).toBe('a ended');
  });

  it('are lost with their node', () => {
    const { tracked } = reported([listAt(0, [query('a'), query('b')]), listAt(5, [query('b')])]);
    expect(endAsLost(tracked).map((one) => [one.query.id, one.outcome])).toEqual([
      ['b', 'lost'],
      ['a', 'lost'],
    ]);
    expect(endAsLost(noTrackedQueries)).toEqual([]);
  });

  it('do not begin while they wait in the queue', () => {
    const waiting = [query('1790000000942', { state: 'delayed' })];
    expect(reported([listAt(0, waiting), listAt(5, []), listAt(10, [])]).words).toEqual(['', '', '']);
  });

  it('are kept for a limited time after their end', () => {
    const many = Array.from({ length: 12_000 }, (_, at) => query(`q${at}`));
    const { tracked, ended } = reported([listAt(0, many), listAt(5, []), listAt(10, [])]);
    expect(ended.at(-1)).toHaveLength(12_000);
    expect(tracked.reported.size).toBe(10_000);
    expect([tracked.reported.has('q0'), tracked.reported.has('q11999')]).toEqual([false, true]);
  });

  it('are immutable', () => {
    const { tracked } = reported([listAt(0, [query('a')])]);
    const kept = new Map(tracked.open);
    trackList(trackList(tracked, listAt(5, [])).tracked, listAt(10, []));
    expect(tracked.open).toEqual(kept);
    expect(tracked.reported.size).toBe(0);
  });
});
