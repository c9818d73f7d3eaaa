import { describe, expect, it } from 'vitest';
import { readMissing, readQueries } from '../../src/cli/read-queries.ts';

const item = {
  cluster: 'prod',
  node: 'm1',
  state: 'running',
  id: '7.RESTPP_1_1.1790000000000.N',
  graph: 'fraud',
  query: 'ring_scan',
  kind: 'installed',
  ageSeconds: 75,
  grantedTimeoutSeconds: null,
  remainingSeconds: null,
  overdue: false,
  asOf: '2026-09-22T04:53:20.000Z',
  policy: 'runaway',
  matchesAt: '2026-09-22T05:00:00.000Z',
  abortAt: null,
  protected: false,
};

describe('a page of queries', () => {
  it('is read as it is', () => {
    expect(readQueries({ items: [item], total: 7, limit: 1 })).toEqual({ items: [item], total: 7 });
  });

  it('may lack what another version does not tell', () => {
    const { id, asOf } = item;
    expect(readQueries({ items: [{ id, asOf, state: 'delayed', kind: 'new' }], total: 1 })?.items[0]).toMatchObject({
      state: 'delayed',
      kind: 'builtin',
      ageSeconds: null,
      overdue: false,
      graph: '',
      policy: null,
      matchesAt: null,
      protected: null,
    });
  });

  it.each([
    [null],
    ['text'],
    [{ items: 7, total: 1 }],
    [{ items: [], total: '1' }],
    [{ items: [], total: Number.NaN }],
    [{ items: [{ ...item, id: 7 }], total: 1 }],
    [{ items: [{ ...item, asOf: 'soon' }], total: 1 }],
    [{ items: [null], total: 1 }],
  ])('is not %j', (answer) => {
    expect(readQueries(answer)).toBeUndefined();
  });
});

describe('lists that are missing', () => {
  it('are those of collectors that are not good', () => {
    const items = [
      { node: 'm1', collector: 'queries', state: 'good', reason: '' },
      { node: 'm2', collector: 'queries', state: 'failing', reason: 'timeout' },
      { node: 'm3', collector: 'queries', state: 'waiting', reason: '' },
    ];
    expect(readMissing({ items }, 'queries')).toEqual(['m2 (queries: timeout)', 'm3 (queries: not read yet)']);
  });

  it('are all where nobody reads such a list, or the answer tells nothing', () => {
    const none = ['queries (no such list is read here)'];
    expect(readMissing({ items: [] }, 'queries')).toEqual(none);
    expect(readMissing({ items: 'none' }, 'queries')).toEqual(none);
    expect(readMissing(undefined, 'queries')).toEqual(none);
  });
});
