import { describe, expect, it } from 'vitest';
import { asOperator } from '../../../src/app/api/operator.ts';
import { textReply } from '../../../src/app/api/reply.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';

const externalUrl = 'https://warden.example.org/ops';
const alice: Partial<IncomingRequest> = { user: 'alice' };
const loopback: Partial<IncomingRequest> = { remoteAddress: '127.0.0.1' };

describe('operator action', () => {
  it.each<readonly [string, Partial<IncomingRequest>, boolean]>([
    ['an operator', alice, true],
    ['a user that is no operator', { user: 'bob' }, false],
    ['the local operator', { operator: 'local' }, true],
    ['an anonymous client on loopback', loopback, false],
    ['an anonymous client at localhost', { ...loopback, headers: { host: 'localhost:9916' } }, false],
    ['an anonymous client elsewhere', { remoteAddress: '192.168.0.7' }, false],
    ['a client that states a user itself', { ...loopback, headers: { 'x-forwarded-user': 'alice' } }, false],
    ['a page of another site', { ...alice, headers: { 'sec-fetch-site': 'cross-site' } }, false],
    ['a page of a sibling site', { ...alice, headers: { 'sec-fetch-site': 'same-site' } }, false],
    ['a form', { ...alice, headers: { 'content-type': 'application/x-www-form-urlencoded' } }, false],
    ['a text', { ...alice, headers: { 'content-type': 'text/plain;application/json' } }, false],
    ['JSON', { ...alice, headers: { 'content-type': 'Application/JSON; charset=utf-8' } }, true],
    ['the status page', { ...alice, headers: { 'sec-fetch-site': 'same-origin' } }, true],
    ['a person at the address bar', { ...alice, headers: { 'sec-fetch-site': 'none' } }, true],
    ['another origin', { ...alice, headers: { host: 'localhost:9916', origin: 'http://evil.example' } }, false],
    ['an opaque origin', { ...alice, headers: { host: 'localhost:9916', origin: 'null' } }, false],
    [
      'an origin of another port',
      { ...alice, headers: { host: 'localhost:9916', origin: 'http://localhost:80' } },
      false,
    ],
    ['the own origin', { ...alice, headers: { host: 'LOCALHOST:9916', origin: 'http://localhost:9916' } }, true],
    ['the external URL', { ...alice, headers: { host: '127.0.0.1:9916', origin: 'https://warden.example.org' } }, true],
  ])('of %s: %j', async (_, sent, isAllowed) => {
    const request = { headers: {}, ...sent } as IncomingRequest;
    const actors: string[] = [];
    const { status } = await asOperator(request, { operators: ['alice'], externalUrl }, async (by) => {
      actors.push(by);
      return textReply('done');
    });
    expect(status).toBe(isAllowed ? 200 : 403);
    expect(actors).toEqual(isAllowed ? [request.operator ?? request.user] : []);
  });
});
