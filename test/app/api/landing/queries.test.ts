import { describe, expect, it } from 'vitest';
import { delayedInWords, runningInWords } from '../../../../src/app/api/landing/queries.ts';
import { delayedQueries } from '../../../../src/collect/delayed-queries.ts';
import { queries } from '../../../../src/collect/queries.ts';
import type { DelayedQuery, RunningQuery } from '../../../../src/model/query.ts';
import { latest, lines } from './landing-fixtures.ts';

let ids = 0;

function running(graph: string, elapsed: number, more: Partial<RunningQuery> = {}): RunningQuery {
  ids += 1;
  return { requestId: `r${ids}`, graph, query: 'ring_scan', kind: 'installed', elapsed, ...more };
}

function delayed(graph: string, elapsed: number): DelayedQuery {
  return { partialId: 'p', graph, query: 'q', kind: 'installed', elapsed };
}

function facts<Query>(...listed: readonly Query[]) {
  return { graphs: ['fraud', 'social'], queries: listed };
}

describe('running queries in words', () => {
  it.each([
    ['no one', { m1: facts(), m2: facts() }, ['plain: No query runs']],
    ['one', { m1: facts(running('fraud', 12_000)) }, ['plain: 1 query runs, the oldest for 12s on m1 in graph fraud']],
    [
      'several, and where the oldest is',
      { m1: facts(running('fraud', 900), running('social', 5000)), m2: facts(running('fraud', 250_000)) },
      ['warning: 3 queries run, the oldest for 4m 10s on m2 in graph fraud'],
    ],
    [
      'just not for long',
      { m1: facts(running('fraud', 59_900)) },
      ['plain: 1 query runs, the oldest for 59s on m1 in graph fraud'],
    ],
    ['a moment ago', { m1: facts(running('fraud', 400)) }, ['plain: 1 query runs']],
    ['in no graph', { m1: facts(running('', 3000)) }, ['plain: 1 query runs, the oldest for 3s on m1']],
  ])('%s', (_, reported, expected) => {
    expect(lines(runningInWords(latest(queries, reported)))).toEqual(expected);
  });

  it('name those that are past their time-out', () => {
    const late = { grantedTimeout: 16_000 };
    const reported = {
      m1: facts(running('fraud', 20_000, late), running('fraud', 30_000, late), running('fraud', 1000, late)),
      m2: facts(running('social', 17_000, { ...late, query: 'pagerank' })),
    };
    expect(lines(runningInWords(latest(queries, reported)))[1]).toBe(
      'warning: Past the time-out that was granted: 2 of ring_scan in graph fraud on m1 and 1 of pagerank in graph social on m2',
    );
  });

  it('say of which node they know nothing', () => {
    expect(lines(runningInWords(latest(queries, { m1: facts() }, { silent: ['m2'] })))).toEqual([
      'plain: No query runs',
      'plain: Nothing is known of m2',
    ]);
    expect(lines(runningInWords(latest(queries, {}, { silent: ['m1'] })))).toEqual([
      "plain: Not known: reading 'queries' fails",
    ]);
  });

  it('bear a name of any length', () => {
    const [said = ''] = lines(runningInWords(latest(queries, { m1: facts(running('g'.repeat(10_000), 5000)) })));
    expect(said.length).toBeLessThan(200);
  });
});

describe('delayed queries in words', () => {
  it.each([
    ['none', { m1: facts() }, ['plain: None waits for a place']],
    [
      'one',
      { m1: facts(delayed('fraud', 3000)) },
      ['warning: 1 query waits for a place, the oldest for 3s on m1 in graph fraud'],
    ],
    [
      'several',
      { m1: facts(delayed('fraud', 3000)), m2: facts(delayed('social', 12_000), delayed('social', 1000)) },
      ['warning: 3 queries wait for a place, the oldest for 12s on m2 in graph social'],
    ],
    ['nothing read yet', {}, []],
  ])('%s', (_, reported, expected) => {
    expect(lines(delayedInWords(latest(delayedQueries, reported)))).toEqual(expected);
  });
});
