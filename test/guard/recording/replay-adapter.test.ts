import { describe, expect, it } from 'vitest';
import { urlParams } from '../../../src/guard/conditions/params.ts';
import { parseEntry } from '../../../src/guard/process-list.ts';
import { conditionParam, recordedListBody, trueValue } from '../../../src/guard/recording/replay-adapter.ts';
import { idAt } from '../observations.ts';

const sound = {
  id: idAt(0),
  start: '2026-09-21 14:13:20.000',
  end: '2026-09-21 14:13:36.000',
  elapsed: 1000,
  query: '/query/fraud/ring_scan',
};

function entriesOf(
  ...entries: Parameters<typeof recordedListBody>[0] extends infer List
    ? Extract<List, { entries: unknown }>['entries']
    : never
) {
  const body = recordedListBody({ entries });
  if (typeof body !== 'object' || body === null || !('results' in body) || !Array.isArray(body.results)) return [];
  return body.results.map((one) => parseEntry(one));
}

describe('body of a recorded list', () => {
  it('has its entries in the format of a server', () => {
    const [read] = entriesOf({ ...sound, method: 'GET' });
    expect(read).toMatchObject({
      ok: true,
      value: { id: sound.id, kind: 'installed', graph: 'fraud', query: 'ring_scan', elapsed: 1000, method: 'GET' },
    });
    expect(read?.ok && read.value.apparentTimeout).toBe(16_000);
    expect(read?.ok && read.value.url).toBe('/query/fraud/ring_scan');
  });

  it('has the recorded results as parameters', () => {
    const [read] = entriesOf({ ...sound, params: '10' });
    const params = urlParams(read?.ok ? read.value.url : '');
    expect(params?.get(conditionParam(0))).toEqual([trueValue]);
    expect(params?.get(conditionParam(1))).toEqual(['false']);
  });

  it('has different urls for urls that changed', () => {
    const urls = entriesOf(sound, { ...sound, changed: 1 }, { ...sound, changed: 2, params: '1' });
    expect(new Set(urls.map((read) => read.ok && read.value.url)).size).toBe(3);
  });

  it('keeps the kind of a query that is not installed', () => {
    const read = entriesOf({ ...sound, query: 'interpreted' }, { ...sound, query: 'builtin', changed: 1 });
    expect(read.map((one) => one.ok && one.value.kind)).toEqual(['interpreted', 'builtin']);
  });

  it('keeps invalid entries invalid', () => {
    const read = entriesOf({ skipped: true }, { skipped: true, id: '?1' }, { skipped: true, id: idAt(0) });
    expect(read.map((one) => (one.ok ? '' : one.error))).toEqual(['id', 'id', 'field']);
    expect(recordedListBody({ rejected: 'error' })).toEqual({ error: true });
    expect(recordedListBody({ rejected: 'malformed' })).toEqual({});
  });
});
