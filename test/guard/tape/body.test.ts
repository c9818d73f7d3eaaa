import { describe, expect, it } from 'vitest';
import { paramsOf } from '../../../src/guard/params.ts';
import { readSighting } from '../../../src/guard/sighting.ts';
import { bodyOf, clauseParam, trueText } from '../../../src/guard/tape/body.ts';
import { idAt } from '../listed.ts';

const sound = {
  id: idAt(0),
  start: '2026-09-21 14:13:20.000',
  end: '2026-09-21 14:13:36.000',
  elapsed: 1000,
  query: '/query/fraud/ring_scan',
};

function entriesOf(
  ...entries: Parameters<typeof bodyOf>[0] extends infer List ? Extract<List, { entries: unknown }>['entries'] : never
) {
  const body = bodyOf({ entries });
  if (typeof body !== 'object' || body === null || !('results' in body) || !Array.isArray(body.results)) return [];
  return body.results.map((one) => readSighting(one));
}

describe('the body of a recorded list', () => {
  it('has its entries as a server would write them', () => {
    const [read] = entriesOf({ ...sound, method: 'GET' });
    expect(read).toMatchObject({
      ok: true,
      value: { id: sound.id, kind: 'installed', graph: 'fraud', query: 'ring_scan', elapsed: 1000, method: 'GET' },
    });
    expect(read?.ok && read.value.grantedTimeout).toBe(16_000);
    expect(read?.ok && read.value.url).toBe('/query/fraud/ring_scan');
  });

  it('answers for parameters with truths', () => {
    const [read] = entriesOf({ ...sound, told: '10' });
    const params = paramsOf(read?.ok ? read.value.url : '');
    expect(params?.get(clauseParam(0))).toEqual([trueText]);
    expect(params?.get(clauseParam(1))).toEqual(['false']);
  });

  it('has other urls where urls were others', () => {
    const urls = entriesOf(sound, { ...sound, changed: 1 }, { ...sound, changed: 2, told: '1' });
    expect(new Set(urls.map((read) => read.ok && read.value.url)).size).toBe(3);
  });

  it('keeps the kind of what is no installed query', () => {
    const read = entriesOf({ ...sound, query: 'interpreted' }, { ...sound, query: 'builtin', changed: 1 });
    expect(read.map((one) => one.ok && one.value.kind)).toEqual(['interpreted', 'builtin']);
  });

  it('is as odd as it was', () => {
    const read = entriesOf({ odd: true }, { odd: true, id: '?1' }, { odd: true, id: idAt(0) });
    expect(read.map((one) => (one.ok ? '' : one.error))).toEqual(['id', 'id', 'field']);
    expect(bodyOf({ void: 'error' })).toEqual({ error: true });
    expect(bodyOf({ void: 'malformed' })).toEqual({});
  });
});
