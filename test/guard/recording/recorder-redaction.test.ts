import { describe, expect, it } from 'vitest';
import { compileParamConditions } from '../../../src/guard/recording/param-conditions.ts';
import { createRedaction } from '../../../src/guard/recording/recorder.ts';
import { entryOf, idAt } from '../observations.ts';
import { policyOf } from '../parsed-policy.ts';

const test = compileParamConditions([policyOf({ when: { params: { depth: '4' } } }).when]);

function redacted(...results: readonly unknown[]) {
  return createRedaction(test)('n1', { error: false, message: 'secret', results });
}

describe('redaction', () => {
  it('keeps the permitted fields of an entry', () => {
    expect(redacted(entryOf({ method: 'GET', user: 'secret' }))).toEqual({
      entries: [
        {
          id: idAt(0),
          start: '2026-09-21 14:13:20.000',
          end: '2026-09-21 14:13:36.000',
          elapsed: 1000,
          query: '/query/fraud/ring_scan',
          method: 'GET',
          params: '1',
        },
      ],
    });
  });

  it.each([
    ['/restpp/query/fraud/ring_scan?depth=5', '/query/fraud/ring_scan', '0'],
    ['/query/fraud/ring_scan/secret', 'builtin', undefined],
    ['/secret', 'builtin', undefined],
    ['/gsqlserver/interpreted_query?a=secret', 'interpreted', undefined],
  ])('keeps only the name or the kind of %s', (url, query, reported) => {
    const list = redacted(entryOf({ url }));
    const [entry] = 'entries' in list ? list.entries : [];
    expect(entry).toMatchObject({ query });
    expect(entry && 'params' in entry ? entry.params : undefined).toBe(reported);
  });

  it('replaces a method that HTTP does not define', () => {
    expect(redacted(entryOf({ method: 'SECRET' }))).toMatchObject({ entries: [{ method: 'OTHER' }] });
  });

  it('marks invalid entries, and equal ids with equal markers', () => {
    expect(
      redacted(
        entryOf({ requestid: 'secret' }),
        entryOf({ requestid: 'hush' }),
        entryOf({ requestid: 'secret' }),
        entryOf({ requestid: 7 }),
        'secret',
        entryOf({ startTime: 'secret' }),
      ),
    ).toEqual({
      entries: [
        { skipped: true, id: '?1' },
        { skipped: true, id: '?2' },
        { skipped: true, id: '?1' },
        { skipped: true },
        { skipped: true },
        { skipped: true, id: idAt(0) },
      ],
    });
  });

  it('keeps the causes of an invalid list: two instances, a duplicate id', () => {
    const ids = [idAt(0), idAt(0, 7, 'RESTPP_9_9'), idAt(0)];
    expect(redacted(...ids.map((requestid) => entryOf({ requestid })))).toMatchObject({
      entries: ids.map((id) => ({ id })),
    });
  });

  it('keeps no content of a body without a list', () => {
    const redact = createRedaction(test);
    expect(redact('n1', { error: true, message: 'secret', results: [] })).toEqual({ rejected: 'error' });
    expect(redact('n1', { results: 'secret' })).toEqual({ rejected: 'malformed' });
    expect(redact('n1', 'secret')).toEqual({ rejected: 'malformed' });
  });

  it('records that a url changed, without the url', () => {
    const redact = createRedaction(test);
    const changed = (node: string, ...urls: readonly string[]) => {
      const list = redact(node, { results: urls.map((url) => entryOf({ url })) });
      return 'entries' in list ? list.entries.map((entry) => ('changed' in entry ? entry.changed : undefined)) : [];
    };
    const [one, other] = ['/query/fraud/ring_scan?depth=4', '/query/fraud/ring_scan?depth=5'];
    expect(changed('n1', one)).toEqual([undefined]);
    expect(changed('n1', one)).toEqual([undefined]);
    expect(changed('n1', other)).toEqual([1]);
    expect(changed('n2', one)).toEqual([undefined]);
    expect(changed('n1', other)).toEqual([1]);
    expect(changed('n1', one)).toEqual([2]);
    // An entry that disappears and returns is a new one, for the guard as well.
    expect(changed('n1')).toEqual([]);
    expect(changed('n1', other)).toEqual([undefined]);
  });
});
