import { describe, expect, it } from 'vitest';
import {
  hashOf,
  isReplicaAuthorization,
  isReplySigned,
  type RequestTarget,
  type SignedRequest,
  signReply,
  signRequest,
  verifyRequest,
} from '../../../src/runtime/peers/peer-signature.ts';

const target: RequestTarget = { method: 'GET', path: '/api/v1/queries', query: new URLSearchParams('cluster=a&x=1') };
const signed: SignedRequest = {
  from: 'a',
  to: 'b',
  at: 1000,
  nonce: 'n',
  bodyHash: hashOf('{}'),
  user: 'Zoë',
  operator: undefined,
};
const authorization = signRequest('key', target, signed);

describe('the signature of a request', () => {
  it('covers sender, recipient and user', () => {
    expect(isReplicaAuthorization(authorization)).toBe(true);
    expect(isReplicaAuthorization('Basic Zm9vOmJhcg==')).toBe(false);
    expect(isReplicaAuthorization(undefined)).toBe(false);
    expect(verifyRequest('key', target, authorization)).toEqual(signed);
    const local = { ...signed, user: undefined, operator: 'local' };
    expect(verifyRequest('key', target, signRequest('key', target, local))).toEqual(local);
  });

  it.each([
    { method: 'POST' },
    { path: '/api/v1/queries/1' },
    { path: '/api/v1/queries?cluster=a' },
    { query: new URLSearchParams('cluster=b&x=1') },
    { query: new URLSearchParams('') },
  ])('is not that of a request with %j (case %$)', (other) => {
    expect(verifyRequest('key', { ...target, ...other }, authorization)).toBeUndefined();
  });

  it('is invalid with another key, with other content, and without content', () => {
    const [head = '', mac = ''] = authorization.split('.');
    expect(verifyRequest('other', target, authorization)).toBeUndefined();
    expect(verifyRequest('key', target, `${head}.${mac.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`)).toBe(
      undefined,
    );
    expect(verifyRequest('key', target, head)).toBeUndefined();
    expect(verifyRequest('key', target, `${head}.`)).toBeUndefined();
    const forged = Buffer.from(JSON.stringify(['a', 'b', 1000, 'n', signed.bodyHash, null, 'root'])).toString(
      'base64url',
    );
    expect(verifyRequest('key', target, `Graphwarden-Replica ${forged}.${mac}`)).toBeUndefined();
    expect(verifyRequest('key', target, 'Graphwarden-Replica ')).toBeUndefined();
  });

  it('is refused if its content is not that of this version', () => {
    // As another version may send it.
    const changed = (field: object): SignedRequest => JSON.parse(JSON.stringify({ ...signed, ...field }));
    for (const field of [{ at: 'soon' }, { nonce: 5 }, { from: null }])
      expect(verifyRequest('key', target, signRequest('key', target, changed(field)))).toBeUndefined();
    expect(verifyRequest('key', target, signRequest('key', target, changed({})))).toBeDefined();
  });
});

describe('the signature of a reply', () => {
  it('belongs to one request, status and body', () => {
    const reply = { status: 200, bodyHash: hashOf('{"items":[]}') };
    const signature = signReply('key', 'n', reply);
    expect(isReplySigned('key', 'n', { ...reply, signature })).toBe(true);
    expect(isReplySigned('other', 'n', { ...reply, signature })).toBe(false);
    expect(isReplySigned('key', 'm', { ...reply, signature })).toBe(false);
    expect(isReplySigned('key', 'n', { ...reply, status: 201, signature })).toBe(false);
    expect(isReplySigned('key', 'n', { ...reply, bodyHash: hashOf('{}'), signature })).toBe(false);
    expect(isReplySigned('key', 'n', { ...reply, retryAfter: '3', signature })).toBe(false);
    expect(isReplySigned('key', 'n', { ...reply, signature: '' })).toBe(false);
  });

  it('hashes the pieces of a body as the whole of it', () => {
    expect(hashOf('ab', Buffer.from('c'))).toBe(hashOf('abc'));
    expect(hashOf()).toBe(hashOf(''));
  });
});
