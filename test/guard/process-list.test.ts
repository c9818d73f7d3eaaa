import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequestId } from '../../src/graphdb/query-identity.ts';
import { entryId, parseEntry } from '../../src/guard/process-list.ts';
import { entryOf, epoch, idAt, observationOf } from './observations.ts';

describe('request id', () => {
  it.each([
    ['65538.RESTPP_1_1.1790000000000.N', 'RESTPP_1_1'],
    ['0.RESTPP_12_3.1790000000000.N', 'RESTPP_12_3'],
    ['33554434.RESTPP_1_10.1790000000000.N', 'RESTPP_1_10'],
  ])('%s is an id of %s', (id, instance) => {
    expect(parseRequestId(id)).toEqual({ instance, arrivedAt: epoch });
  });

  it.each([
    '',
    'all',
    '*',
    '.*',
    '.RESTPP_1_1.1790000000000.N',
    '65538.RESTPP_1_1.1790000000000',
    '65538.RESTPP_1_1.1790000000000.',
    '65538.RESTPP_1_1.1790000000000.A',
    '65538.RESTPP_1_1.1790000000000.NN',
    '65538.RESTPP_1_1.1790000000000.N\n',
    '\n65538.RESTPP_1_1.1790000000000.N',
    ' 65538.RESTPP_1_1.1790000000000.N',
    '65538.RESTPP_1_1.1790000000000.N&url=*',
    '65538.RESTPP_1_1.1790000000000.N&requestid=all',
    '65538.RESTPP_1_1.1790000000000%2eN',
    '65538xRESTPP_1_1x1790000000000xN',
    '65538.RESTPP_1_1.179000000000.N',
    '65538.RESTPP_1_1.17900000000000.N',
    '65538.RESTPP_1.1790000000000.N',
    '65538.RESTPP_1_1_1.1790000000000.N',
    '65538.RESTPP_11111_1.1790000000000.N',
    '65538.restpp_1_1.1790000000000.N',
    '65538.GPE_1_1.1790000000000.N',
    '-1.RESTPP_1_1.1790000000000.N',
    '٦.RESTPP_1_1.1790000000000.N',
    `${'1'.repeat(21)}.RESTPP_1_1.1790000000000.N`,
  ])('%j is no id', (id) => {
    expect(parseRequestId(id)).toBeUndefined();
    expect(parseEntry(entryOf({ requestid: id }))).toEqual({ ok: false, error: 'id' });
  });

  it('has no text before or after it', () => {
    const around = fc.string({ minLength: 1 }).filter((text) => !/^\d+$/.test(text));
    fc.assert(
      fc.property(around, (text) => {
        expect(parseRequestId(`${text}${idAt(0)}`)).toBeUndefined();
        expect(parseRequestId(`${idAt(0)}${text}`)).toBeUndefined();
      }),
    );
  });
});

describe('process list entry', () => {
  it('has all fields of a query', () => {
    expect(observationOf()).toEqual({
      id: '65538.RESTPP_1_1.1790000000000.N',
      instance: 'RESTPP_1_1',
      arrivedAt: epoch,
      graph: 'fraud',
      query: 'ring_scan',
      kind: 'installed',
      url: '/query/fraud/ring_scan?depth=4',
      startTime: '2026-09-21 14:13:20.000',
      expirationTime: '2026-09-21 14:13:36.000',
      elapsed: 1000,
      apparentTimeout: 16_000,
    });
  });

  it.each([
    [{}],
    [{ elapsedTime: 5000 }],
    [{ elapsedTime: '5000' }],
    [{ elapsedTime: -1 }],
    [{ elapsedTime: Number.POSITIVE_INFINITY }],
    [{ url: '/query/fraud/pagerank' }],
    [{ url: 7 }],
    [{ startTime: '2026-09-21 14:13:21.000' }],
    [{ expirationTime: '2026-09-21 15:13:20.000' }],
    [{ expirationTime: undefined }],
    [{ method: 'GET' }],
    [{ requestid: idAt(0, 7) }],
  ])('is equal with %j, for any previous entry (case %$)', (changes) => {
    const value = entryOf(changes);
    expect(parseEntry(value, observationOf())).toEqual(parseEntry(value));
  });

  it('may have no expiration, and usually has no method', () => {
    expect(observationOf({ expirationTime: undefined })).not.toHaveProperty('apparentTimeout');
    expect(observationOf({ expirationTime: null })).not.toHaveProperty('apparentTimeout');
    expect(observationOf({ method: null })).not.toHaveProperty('method');
    expect(observationOf({ method: 'POST' })).toHaveProperty('method', 'POST');
  });

  it.each([
    ['elapsedTime', 0, { elapsed: 0 }],
    ['elapsedTime', '3385', { elapsed: 3385 }],
    ['expirationTime', '2026-09-21 14:13:20.000', { apparentTimeout: 0 }],
    ['expirationTime', '2026-09-21 13:13:20.000', { apparentTimeout: -3_600_000 }],
    ['somethingNew', { a: 1 }, { elapsed: 1000 }],
  ])('may have a %s of %j', (member, value, expected) => {
    expect(observationOf({ [member]: value })).toMatchObject(expected);
  });

  it.each([
    ['elapsedTime', undefined],
    ['elapsedTime', null],
    ['elapsedTime', -1],
    ['elapsedTime', 'long'],
    ['elapsedTime', Number.NaN],
    ['elapsedTime', Number.POSITIVE_INFINITY],
    ['elapsedTime', [1]],
    ['startTime', undefined],
    ['startTime', ''],
    ['startTime', 'yesterday'],
    ['startTime', '2026-13-21 14:13:20.000'],
    ['startTime', '2026-09-32 14:13:20.000'],
    ['startTime', '2026-09-21 24:13:20.000'],
    ['startTime', '2026-09-21 14:60:20.000'],
    ['startTime', '2026-09-21 14:13:20.000 '],
    ['startTime', 1_790_000_000_000],
    ['expirationTime', ''],
    ['expirationTime', 'tomorrow'],
    ['expirationTime', '2026-09-21 13:13:19.999'],
    ['url', undefined],
    ['url', ''],
    ['url', 7],
    ['url', `/query/fraud/${'x'.repeat(70_000)}`],
    ['method', ''],
    ['method', 'get'],
    ['method', 1],
  ])('is skipped if $0 is $1', (member, value) => {
    expect(parseEntry(entryOf({ [member]: value }))).toEqual({ ok: false, error: 'field' });
  });

  it.each([undefined, null, 'text', 7, [], {}, { requestid: 7 }, { requestid: ['all'] }])(
    'rejects %j (case %$)',
    (value) => {
      expect(parseEntry(value)).toEqual({ ok: false, error: 'id' });
      expect(entryId(value)).toBeUndefined();
    },
  );
});

describe('entry url', () => {
  it.each(['/query/fraud/ring_scan', '/query/fraud/ring_scan?a=/x#y', '/restpp/query/fraud/ring_scan?', '/query/_/_'])(
    '%s calls an installed query',
    (url) => {
      expect(observationOf({ url }).kind).toBe('installed');
    },
  );

  it.each([
    '/query/fraud/ring_scan/more',
    '/query/fraud/ring_scan/',
    '/query//fraud/ring_scan',
    '//query/fraud/ring_scan',
    'query/fraud/ring_scan',
    '/query/fraud/ring_scan#x',
    '/restpp/restpp/query/fraud/ring_scan',
    '/query/fraud/ring%5Fscan',
    '/query/fraud/../x',
    '/query/fraud',
    '/query/{graph}/{name}',
    '/query/frau\u0064\u0301/ring_scan',
    `/query/fraud/${'x'.repeat(129)}`,
    '/QUERY/fraud/ring_scan',
    '/sleepgpe?milliseconds=1',
    '/gsqlserver/interpreted_query',
    '/graph/fraud/vertices/User',
    'https://elsewhere/query/fraud/ring_scan',
  ])('$0 calls no installed query', (url) => {
    expect(observationOf({ url }).kind).not.toBe('installed');
  });
});
