import { describe, expect, it } from 'vitest';
import { compareVersions, customSection } from '../../../src/collect/custom/settings.ts';

const metric = { name: 'fraud_degree', help: 'Degree.', value: 'degree' };
const query = { name: 'degree', graph: 'fraud', query: 'degree_outliers', metrics: [metric] };

describe('customSection', () => {
  it('fills in the defaults', () => {
    expect(customSection.parse([query])).toMatchObject([
      {
        name: 'degree',
        run: { graph: 'fraud', source: { installed: 'degree_outliers' }, parameters: [], timeout: 30_000 },
        nullValue: 'skip',
        maxSeries: 1000,
        nodes: 'one',
        polling: { enabled: true, interval: 300_000, timeout: 30_000, staleAfter: 900_000 },
      },
    ]);
    expect(customSection.parse(undefined)).toEqual([]);
  });

  it('accepts every key', () => {
    const parameters = { top: 10, deep: true, ids: ['a', 'b'], 'v[0].type': 'Account' };
    const limits = { thread_limit: 2, memory_limit: '512MiB', min_version: '4.1', max_version: '4.2' };
    const [given] = customSection.parse([
      { ...query, parameters, ...limits, clusters: ['prod'], nodes: ['m1'], stale_after: '1h' },
    ]);
    expect(given).toMatchObject({
      run: {
        parameters: [
          { name: 'top', value: '10' },
          { name: 'deep', value: 'true' },
          { name: 'ids', value: 'a' },
          { name: 'ids', value: 'b' },
          { name: 'v[0].type', value: 'Account' },
        ],
        threads: 2,
        memory: 536_870_912,
      },
      clusters: ['prod'],
      nodes: ['m1'],
      minVersion: '4.1',
      maxVersion: '4.2',
      polling: { staleAfter: 3_600_000 },
    });
  });
});

it.each([
  ['4.1', '4.1.3', 0],
  ['4.1', '4.2', -1],
  ['4.10', '4.9', 1],
  ['3.9.2', '3.9.1', 1],
  ['4.1.0', '4.1', 0],
])('compareVersions of %s and %s is %i', (one, other, expected) => {
  expect(Math.sign(compareVersions(one, other))).toBe(expected);
});
