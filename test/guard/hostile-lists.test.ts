import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/guard/process-list.ts';
import {
  type ExpectedInstances,
  type ListSkipReason,
  type ParsedProcessList,
  parseProcessList,
  validateList,
} from '../../src/guard/process-list.ts';
import type { Result } from '../../src/kernel/result.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { alphabetically, type ListSummary, summarizeListNaively } from './naive-process-list.ts';
import { entryOf, idAt } from './observations.ts';

const lists = numberOfRuns({ short: 4000, campaign: 50_000 });

const oddIds = [
  '',
  'all',
  '*',
  '.*',
  'x.RESTPP_1_1.1790000000000.N',
  '7.RESTPP_1_1.1790000000000.N&url=*',
  '7',
  null,
  7,
];
const oddTags = ['RESTPP_1', 'restpp_1_1', 'GPE_1_1', 'RESTPP_12345_1', 'RESTPP_1_1_1', 'RESTPP_1_', 'RESTPP_01_1'];
const oddUrls = [
  '',
  '/query/a',
  '/query/a/b/c',
  '/query//a/b',
  '/query/1a/b',
  '/restpp/restpp/query/a/b',
  'query/a/b',
  null,
];
const goodUrls = [
  '/query/a/b',
  '/query/a/b?c=d/e',
  '/restpp/query/_a/B9?',
  '/query/restpp/query',
  '/sleepgpe',
  '/x?/query/a/b',
];
const oddTimes = [
  '',
  'now',
  '2026-13-41 14:13:20.000x',
  '2026-09-21',
  null,
  1_790_000_000_000,
  '2026-09-21 14:13:19.000',
];
const oddLengths = [-1, null, '', 'x', '0x10', ' 7', Number.NaN, Number.POSITIVE_INFINITY, [7], { a: 7 }, true];
const goodLengths = [0, 1, 7.5, '12', '1e3', 86_400_000];
const oddMethods = ['', 'get', 'GET ', 7, 'GETGETGETGET'];
const oddBodies = [
  undefined,
  null,
  7,
  'text',
  [],
  {},
  { results: {} },
  { error: 'yes', results: [] },
  { error: true, results: [] },
];

/** One body, mostly sound, in the hands of `next`, which is in [0, 1). */
function randomBody(next: () => number): unknown {
  const of = <One>(all: readonly One[]): One | undefined => all[Math.floor(next() * all.length)];
  const seldom = <One>(odd: readonly One[], good: () => One | undefined) => (next() < 0.04 ? of(odd) : good());
  if (next() < 0.03) return of(oddBodies);
  const foreign = next() < 0.1;
  const results = Array.from({ length: Math.floor(next() * 6) }, (_, index) => {
    if (next() < 0.02) return of([null, 7, 'text', [], {}]);
    const tag = foreign && next() < 0.3 ? 'RESTPP_2_1' : seldom(oddTags, () => 'RESTPP_1_1');
    const serial = next() < 0.1 ? 0 : index;
    return entryOf({
      requestid: seldom<unknown>(oddIds, () => idAt(Math.floor(next() * 20), serial, tag)),
      url: seldom<unknown>(oddUrls, () => of(goodUrls)),
      startTime: seldom<unknown>(oddTimes.slice(0, -1), () => '2026-09-21 14:13:20.000'),
      expirationTime: seldom<unknown>(oddTimes, () =>
        of(['2026-09-21 14:13:36.000', '2026-09-22 00:00:00.250', undefined]),
      ),
      elapsedTime: seldom<unknown>(oddLengths, () => of(goodLengths)),
      method: seldom<unknown>(oddMethods, () => of(['GET', 'POST', undefined, undefined])),
    });
  });
  return { error: of([false, 'false', undefined]), results };
}

/** Returns the summary that the naive parser returns. */
function reading(answer: Result<ParsedProcessList, ListSkipReason>, instances: ExpectedInstances): ListSummary {
  const read = validateList(answer, instances);
  if (!read.ok) return read.error;
  return [...read.value.observations.map(lineOf), ...read.value.skippedEntries].toSorted(alphabetically).join('\n');
}

function lineOf({ id, instance, arrivedAt, graph, query, kind, url, ...more }: Observation): string {
  const { startTime, elapsed, apparentTimeout, method } = more;
  const called = kind === 'installed' ? `${graph}/${query}` : '-';
  return JSON.stringify([id, instance, arrivedAt, called, url, startTime, elapsed, apparentTimeout, method]);
}

describe('hostile lists', () => {
  it(`have the same result as with a naive parser, ${lists} lists`, () => {
    const random = seededRandom(4);
    const cases: readonly ExpectedInstances[] = [
      { own: 'RESTPP_1_1', others: new Set() },
      { own: undefined, others: new Set(['RESTPP_2_1']) },
    ];
    const outcomes = new Map<string, number>();
    const known = new Map<string, { readonly observation: Observation }>();
    let again = 0;
    for (let list = 0; list < lists; list += 1) {
      const body = randomBody(() => random.next());
      const withoutHistory = parseProcessList(body);
      // An earlier list does not change the result.
      const answer = parseProcessList(body, known);
      for (const instances of cases) {
        const expected = summarizeListNaively(body, instances);
        expect([reading(withoutHistory, instances), reading(answer, instances)], `list ${list}`).toEqual([
          expected,
          expected,
        ]);
        for (const line of expected.split('\n')) {
          const word = line.startsWith('[') ? 'observation' : line;
          outcomes.set(word, (outcomes.get(word) ?? 0) + 1);
        }
      }
      for (const observation of answer.ok ? answer.value.observations : []) {
        if (known.get(observation.id)?.observation.url === observation.url) again += 1;
        known.set(observation.id, { observation: observation });
      }
    }
    expect(again).toBeGreaterThan(lists / 10);
    const words = ['malformed', 'error', 'duplicate_ids', 'foreign_instance', 'id', 'field', 'observation'];
    for (const word of words) expect(outcomes.get(word), word).toBeGreaterThan(lists / 200);
  });
});
