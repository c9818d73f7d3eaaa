import { describe, expect, it } from 'vitest';
import { clauseTest } from '../../../src/guard/tape/clauses.ts';
import { createRedaction } from '../../../src/guard/tape/redaction.ts';
import { entryOf, idAt } from '../listed.ts';
import { policyOf } from '../policy-of.ts';

const test = clauseTest([policyOf({ when: { params: { depth: '4' } } })]);

function redacted(...results: readonly unknown[]) {
  return createRedaction(test)('n1', { error: false, message: 'secret', results });
}

describe('redaction', () => {
  it('keeps of an entry what the guard may keep', () => {
    expect(redacted(entryOf({ method: 'GET', user: 'secret' }))).toEqual({
      entries: [
        {
          id: idAt(0),
          start: '2026-09-21 14:13:20.000',
          end: '2026-09-21 14:13:36.000',
          elapsed: 1000,
          query: '/query/fraud/ring_scan',
          method: 'GET',
          told: '1',
        },
      ],
    });
  });

  it.each([
    ['/restpp/query/fraud/ring_scan?depth=5', '/query/fraud/ring_scan', '0'],
    ['/query/fraud/ring_scan/secret', 'builtin', undefined],
    ['/secret', 'builtin', undefined],
    ['/gsqlserver/interpreted_query?a=secret', 'interpreted', undefined],
  ])('keeps of %s the name or the kind', (url, query, told) => {
    const list = redacted(entryOf({ url }));
    const [entry] = 'entries' in list ? list.entries : [];
    expect(entry).toMatchObject({ query });
    expect(entry && 'told' in entry ? entry.told : undefined).toBe(told);
  });

  it('knows no methods but those of HTTP', () => {
    expect(redacted(entryOf({ method: 'SECRET' }))).toMatchObject({ entries: [{ method: 'OTHER' }] });
  });

  it('marks what is odd, two alike as alike', () => {
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
        { odd: true, id: '?1' },
        { odd: true, id: '?2' },
        { odd: true, id: '?1' },
        { odd: true },
        { odd: true },
        { odd: true, id: idAt(0) },
      ],
    });
  });

  it('keeps a list with all that makes it void: two instances, one id twice', () => {
    const ids = [idAt(0), idAt(0, 7, 'RESTPP_9_9'), idAt(0)];
    expect(redacted(...ids.map((requestid) => entryOf({ requestid })))).toMatchObject({
      entries: ids.map((id) => ({ id })),
    });
  });

  it('keeps nothing of what is no list', () => {
    const redact = createRedaction(test);
    expect(redact('n1', { error: true, message: 'secret', results: [] })).toEqual({ void: 'error' });
    expect(redact('n1', { results: 'secret' })).toEqual({ void: 'malformed' });
    expect(redact('n1', 'secret')).toEqual({ void: 'malformed' });
  });

  it('tells that a url has changed, and not to what', () => {
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
    // What was gone begins anew, for the guard as well.
    expect(changed('n1')).toEqual([]);
    expect(changed('n1', other)).toEqual([undefined]);
  });
});
