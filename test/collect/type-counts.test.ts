import { expect, it } from 'vitest';
import { maxTypes, sumByType, typeSamples } from '../../src/collect/type-counts.ts';
import { gauge } from '../../src/metric/metric.ts';
import { sampleLines } from '../support/poll-results.ts';

const metric = gauge({ name: 'graphdb_x', help: 'X.', labels: ['graph', 'type'], source: 'test' });

it('the parts of a type are summed', () => {
  const counts = [
    { type: 'a', count: 1 },
    { type: '__proto__', count: 5 },
    { type: 'a', count: 2 },
  ];
  expect([...sumByType(counts)]).toEqual([
    ['a', 3],
    ['__proto__', 5],
  ]);
});

it('the largest types have a sample, and the others one in common', () => {
  const counts = new Map(Array.from({ length: 10_000 }, (_, at) => [`t${at}`, 10_000 - at] as const));
  const samples = typeSamples(metric, 'g', counts);
  const lines = sampleLines(samples);
  expect(lines).toHaveLength(maxTypes + 1);
  expect(lines[0]).toBe('graphdb_x{graph="g",type="t0"} 10000');
  expect(lines.at(-1)).toMatch(/type="other"/);
});

it('few types are all shown', () => {
  expect(sampleLines(typeSamples(metric, 'g', new Map([['a', 0]])))).toEqual(['graphdb_x{graph="g",type="a"} 0']);
});
