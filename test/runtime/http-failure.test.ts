import { describe, expect, it } from 'vitest';
import { connectionFailure, timeoutFailure } from '../../src/runtime/http-failure.ts';

function withCode(code: string): Error {
  return Object.assign(new Error('https://user:canary@host/secret'), { code });
}

describe('connectionFailure', () => {
  it.each([
    ['ECONNREFUSED', 'unreachable'],
    ['ECONNRESET', 'unreachable'],
    ['ENOTFOUND', 'unreachable'],
    ['EAI_AGAIN', 'unreachable'],
    ['EHOSTUNREACH', 'unreachable'],
    ['UND_ERR_SOCKET', 'unreachable'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'body'],
    ['HPE_INVALID_CONSTANT', 'unreachable'],
    ['EMFILE', 'unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['CERT_NOT_YET_VALID', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'tls'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['ERR_OSSL_PEM_NO_START_LINE', 'tls'],
    ['EPROTO', 'tls'],
  ])('maps %s to the reason %s', (code, reason) => {
    const { failure } = connectionFailure(withCode(code));
    expect(failure.reason).toBe(reason);
    expect(failure.message).not.toContain('canary');
  });

  it.each(['bad response', 'bad upgrade'])('has a reason for an unrequested status 100 or 101: %s', (message) => {
    const refused = connectionFailure(Object.assign(new Error(message), { code: 'UND_ERR_SOCKET' }));
    expect(refused).toMatchObject({ failure: { reason: 'status' }, stale: false });
  });

  it('says that the server does not answer with TLS, without the code of the library', () => {
    const { message } = connectionFailure(withCode('ERR_SSL_WRONG_VERSION_NUMBER')).failure;
    expect(message).toBe('the server does not answer with TLS: check the port, or whether it serves http');
  });

  it('reports only a closed connection as stale', () => {
    const stale = (code: string): boolean => connectionFailure(withCode(code)).stale;
    expect([stale('ECONNRESET'), stale('EPIPE'), stale('UND_ERR_SOCKET')]).toEqual([true, true, true]);
    expect([stale('ECONNREFUSED'), stale('CERT_HAS_EXPIRED')]).toEqual([false, false]);
  });

  it('recognizes a reply that is not HTTP, with and without a code', () => {
    const bare = Object.assign(new Error('no match'), { name: 'HTTPParserError', code: undefined });
    const [first, second] = [connectionFailure(bare).failure, connectionFailure(withCode('HPE_INVALID_URL')).failure];
    expect(first).toEqual(second);
    expect(first.message).toContain('not HTTP');
    const overflow = Object.assign(withCode('HPE_HEADER_OVERFLOW'), { name: 'HTTPParserError' });
    expect(connectionFailure(overflow).failure.reason).toBe('too_large');
  });

  it('reports the first address of a name', () => {
    const all = new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')]);
    expect(connectionFailure(all).failure.message).toBe('the connection was refused');
  });

  it.each([undefined, 'text', new Error('no code'), Object.assign(new Error('odd'), { code: 7 })])(
    'has a sentence for %s',
    (error) => {
      expect(connectionFailure(error).failure).toEqual({ reason: 'unreachable', message: 'the connection failed' });
    },
  );
});

it('an aborted call has the reason timeout', () => {
  expect(timeoutFailure().reason).toBe('timeout');
});
