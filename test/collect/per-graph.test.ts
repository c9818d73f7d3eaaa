import { describe, expect, it } from 'vitest';
import { isOverdue, perGraphSamples, type QueryAge } from '../../src/collect/per-graph.ts';
import { parseRunningQuery } from '../../src/graphdb/endpoints/process-lists.ts';
import { gauge } from '../../src/metric/metric.ts';
import { sampleLines } from '../support/poll-results.ts';

const count = gauge({ name: 'graphdb_things', help: 'Things.', labels: ['graph'], source: 'the test' });
const oldest = gauge({ name: 'graphdb_thing_age_seconds', help: 'Their age.', labels: ['graph'], source: 'the test' });

function show(graphs: readonly string[], queries: readonly QueryAge[]): readonly string[] {
  return sampleLines(perGraphSamples({ count, oldest }, graphs, queries));
}

describe('perGraphSamples', () => {
  it('starts every known graph at 0', () => {
    expect(show(['a', 'b'], [])).toEqual([
      'graphdb_things{graph="a"} 0',
      'graphdb_things{graph="b"} 0',
      'graphdb_thing_age_seconds{graph="a"} 0',
      'graphdb_thing_age_seconds{graph="b"} 0',
    ]);
  });

  it('starts a thousand graphs at 0, and shows the queries of the others', () => {
    const graphs = Array.from({ length: 10_000 }, (_, at) => `g${at}`);
    const lines = show(graphs, [{ graph: 'g9999', age: 1000 }]);
    expect(lines).toHaveLength(2 * 1001);
    expect(lines).toContain('graphdb_things{graph="g9999"} 1');
  });

  it('has the count and the highest age', () => {
    const queries = [250, 90_000, 1].map((age) => ({ graph: 'a', age }));
    expect(show(['a'], queries)).toEqual(['graphdb_things{graph="a"} 3', 'graphdb_thing_age_seconds{graph="a"} 90']);
  });

  it('counts a query with a negative age as new', () => {
    expect(show([], [{ graph: 'a', age: -60_000 }])).toEqual([
      'graphdb_things{graph="a"} 1',
      'graphdb_thing_age_seconds{graph="a"} 0',
    ]);
  });

  it('has no age for a graph whose queries have none, because 0 would look like a new query', () => {
    const unknown = { graph: 'a', age: undefined };
    expect(show(['a'], [unknown, unknown])).toEqual(['graphdb_things{graph="a"} 2']);
    expect(show(['a'], [unknown, { graph: 'a', age: 7000 }])).toContain('graphdb_thing_age_seconds{graph="a"} 7');
  });

  it('accepts any name of a graph', () => {
    expect(show(['__proto__'], [{ graph: 'constructor', age: 1000 }])).toEqual([
      'graphdb_things{graph="__proto__"} 0',
      'graphdb_things{graph="constructor"} 1',
      'graphdb_thing_age_seconds{graph="__proto__"} 0',
      'graphdb_thing_age_seconds{graph="constructor"} 1',
    ]);
  });
});

describe('overdue query', () => {
  it.each([
    ['2026-10-25 02:50:00', '2026-10-25T00:50Z', 119, false],
    ['2026-10-25 02:50:00', '2026-10-25T00:50Z', 121, true],
    ['2026-10-24 02:50:00', '2026-10-24T00:50Z', 59, false],
    ['2026-10-24 02:50:00', '2026-10-24T00:50Z', 61, true],
  ])('with a timeout of an hour by the listed times, since %s (%s), after %i minutes: %s', (startTime, ...more) => {
    const [start, minutes, expected] = more;
    const arrivedAt = Date.parse(start);
    const expirationTime = startTime.replace('02:50', '03:50');
    const elapsedTime = minutes * 60_000;
    const now = arrivedAt + elapsedTime;
    const entry = {
      requestid: `1.RESTPP_1_1.${arrivedAt}.N`,
      url: '/query/a/b',
      startTime,
      expirationTime,
      elapsedTime,
    };
    const query = parseRunningQuery(entry, now);
    expect(query && isOverdue(query, { wall: now, mono: 0 })).toBe(expected);
  });
});
