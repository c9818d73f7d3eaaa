import { describe, expect, it } from 'vitest';
import { asOperator, parseJson } from '../../../src/app/api/operator.ts';
import { textReply } from '../../../src/app/api/reply.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';

describe('operator actions', () => {
  const base: Partial<IncomingRequest> = { headers: {}, remoteAddress: '127.0.0.1' };
  it.each([
    ['loopback', {}, true],
    ['loopback of another number', { remoteAddress: '127.8.9.1' }, true],
    ['loopback of IPv6', { remoteAddress: '::1' }, true],
    ['mapped loopback', { remoteAddress: '::ffff:127.0.0.1' }, true],
    ['another machine', { remoteAddress: '192.168.0.7' }, false],
    ['an address that only looks like loopback', { remoteAddress: '127.0.0.1.example.org' }, false],
    ['an unknown address', { remoteAddress: '' }, false],
    ['an operator on another machine', { user: 'alice', remoteAddress: '192.168.0.7' }, true],
    ['a user who is no operator, on this machine', { user: 'bob' }, false],
    ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, false],
    ['a page of a sibling site', { headers: { 'sec-fetch-site': 'same-site' } }, false],
    ['the status page', { headers: { 'sec-fetch-site': 'same-origin' } }, true],
    ['a person at the address bar', { headers: { 'sec-fetch-site': 'none' } }, true],
    ['another origin', { headers: { host: 'localhost:9916', origin: 'http://evil.example' } }, false],
    ['an opaque origin', { headers: { host: 'localhost:9916', origin: 'null' } }, false],
    ['an origin of another port', { headers: { host: 'localhost:9916', origin: 'http://localhost:80' } }, false],
    ['the own origin', { headers: { host: 'LOCALHOST:9916', origin: 'http://localhost:9916' } }, true],
    [
      'the origin of the external URL',
      { headers: { host: '127.0.0.1:9916', origin: 'https://warden.example.org' } },
      true,
    ],
    ['another name of this machine', { headers: { host: 'evil.example:9916' } }, false],
    ['this machine by its number', { headers: { host: '127.0.0.1:9916' } }, true],
    ['this machine by IPv6', { headers: { host: '[::1]:9916' } }, true],
    ['an invalid host', { headers: { host: '[' } }, false],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }, false],
    ['a proxy of another kind', { headers: { forwarded: 'for=127.0.0.1' } }, false],
    ['an operator behind a proxy', { user: 'alice', headers: { via: '1.1 proxy', host: 'warden.example.org' } }, true],
    ['an operator on a foreign page', { user: 'alice', headers: { origin: 'https://evil.example' } }, false],
  ])('%s: %o', async (_, more, isAllowed) => {
    const request = { ...base, ...more } as IncomingRequest;
    const settings = { operators: ['alice'], externalUrl: 'https://warden.example.org/ops' };
    const actors: string[] = [];
    const { status } = await asOperator(request, settings, async (by) => {
      actors.push(by);
      return textReply('done');
    });
    expect(status).toBe(isAllowed ? 200 : 403);
    expect(actors).toEqual(isAllowed ? [request.user ?? request.remoteAddress] : []);
  });
});

describe('JSON body', () => {
  it('is parsed, and undefined if it is not JSON', () => {
    expect(parseJson('{"a":1}')).toEqual({ a: 1 });
    expect(parseJson('{')).toBeUndefined();
  });
});
