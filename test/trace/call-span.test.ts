import { describe, expect, it } from 'vitest';
import type { CompletedCall } from '../../src/graphdb/completed-call.ts';
import { callSpan, serverAttributes, withoutBrackets } from '../../src/trace/call-span.ts';

it.each([
  ['http://db:14240/behind/proxy', 'db', 14_240],
  ['http://db', 'db', 80],
  ['https://db/', 'db', 443],
  ['https://[::1]:9000', '::1', 9000],
  ['http://[fe80::1]', 'fe80::1', 80],
])('the server of %s', (url, address, port) => {
  expect(serverAttributes(new URL(url))).toEqual({ 'server.address': address, 'server.port': port });
});

it('an address has no brackets', () => {
  expect(['[::1]', '::1', '127.0.0.1', 'db'].map(withoutBrackets)).toEqual(['::1', '::1', '127.0.0.1', 'db']);
});

const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const traceStart = { wall: 1_790_000_000_000, mono: 1000 };
const call: CompletedCall = {
  node: 'm1',
  name: 'statistics',
  method: 'GET',
  template: '/restpp/statistics/{graph}',
  url: 'https://m1.test:14240/restpp/statistics/fraud?seconds=REDACTED',
  status: 200,
  bytes: 512,
  started: { wall: 1_790_000_000_010, mono: 1010 },
  ended: { wall: 0, mono: 1060.25 },
  isCancelled: false,
  retries: 0,
};

describe('the span of a call', () => {
  it('has the names of the conventions', () => {
    expect(callSpan(call, { context, parentId: 'c'.repeat(16), traceStart })).toEqual({
      ...context,
      parentId: 'c'.repeat(16),
      name: 'GET /restpp/statistics/{graph}',
      kind: 'client',
      start: 1_790_000_000_010,
      end: 1_790_000_000_060.25,
      attributes: {
        'http.request.method': 'GET',
        'url.template': '/restpp/statistics/{graph}',
        'url.full': 'https://m1.test:14240/restpp/statistics/fraud?seconds=REDACTED',
        'server.address': 'm1.test',
        'server.port': 14240,
        'graphwarden.node': 'm1',
        'http.response.status_code': 200,
        'graphwarden.response.decoded_size': 512,
      },
      events: [],
      links: [],
    });
  });

  it.each<readonly [string, Partial<CompletedCall>, string | undefined]>([
    ['399', { status: 399 }, undefined],
    ['400', { status: 400, failure: 'status' }, '400'],
    ['503', { status: 503, failure: 'status' }, '503'],
    ['403', { status: 403, failure: 'auth' }, '403'],
    ['a bad body', { failure: 'body' }, 'body'],
    ['a time-out', { failure: 'timeout' }, 'timeout'],
    ['a time-out of our own making', { failure: 'timeout', isCancelled: true }, undefined],
    ['a bad status that came after we had given up', { status: 503, failure: 'status', isCancelled: true }, undefined],
  ])('is in error as its answer was: %s', (_, more, error) => {
    const span = callSpan({ ...call, ...more }, { context, traceStart });
    expect(span.error).toBe(error);
    expect(span.attributes['error.type']).toBe(error);
    expect(span.attributes['graphwarden.cancelled']).toBe(more.isCancelled);
  });

  it.each([
    ['http://m1.test/x', 'm1.test', 80],
    ['https://m1.test/x', 'm1.test', 443],
    ['https://[::1]:9000/x', '::1', 9000],
  ])('names the server of %s', (url, address, port) => {
    const { attributes } = callSpan({ ...call, url }, { context, traceStart });
    expect([attributes['server.address'], attributes['server.port']]).toEqual([address, port]);
  });

  it.each([
    ['10.0.0.1:14240', '10.0.0.1'],
    ['[::1]:14240', '::1'],
    ['::1:14240', '::1'],
  ])('names the peer %s if it is known', (peer, address) => {
    const { attributes } = callSpan({ ...call, peer }, { context, traceStart });
    expect([attributes['network.peer.address'], attributes['network.peer.port']]).toEqual([address, 14240]);
  });

  it('counts repetitions, and has the given links', () => {
    const span = callSpan({ ...call, retries: 2 }, { context, traceStart, links: [context] });
    expect(span.attributes['http.request.resend_count']).toBe(2);
    expect(span.links).toEqual([context]);
    expect('parentId' in span).toBe(false);
  });
});
