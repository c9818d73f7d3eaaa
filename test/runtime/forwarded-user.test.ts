import { describe, expect, it } from 'vitest';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { forwardedUser } from '../../src/runtime/forwarded-user.ts';

const proxies = { addresses: ['10.0.0.5', '192.168.0.0/24', 'fd00::/8', '::1'], userHeader: 'X-Forwarded-User' };

const userOf = (remoteAddress: string, header: string | undefined = 'alice', trusted = proxies) =>
  forwardedUser(
    { remoteAddress, headers: header === undefined ? {} : { 'x-forwarded-user': header } } as IncomingRequest,
    trusted,
  );

describe('user of a forwarded request', () => {
  it.each(['10.0.0.5', '::ffff:10.0.0.5', '192.168.0.77', 'fd12::1', '::1'])(
    'is that of the header from %s',
    (peer) => {
      expect(userOf(peer)).toBe('alice');
    },
  );

  it.each(['10.0.0.6', '192.168.1.1', '127.0.0.1', '::ffff:127.0.0.1', 'fe80::1', '::2', '', 'proxy'])(
    'is unknown from %j, which is not trusted',
    (peer) => {
      expect(userOf(peer)).toBeUndefined();
    },
  );

  it('is unknown without the header, and without trusted proxies', () => {
    const { remoteAddress } = { remoteAddress: '10.0.0.5' };
    expect(forwardedUser({ remoteAddress, headers: {} } as IncomingRequest, proxies)).toBeUndefined();
    expect(userOf('10.0.0.5', '')).toBeUndefined();
    expect(userOf('127.0.0.1', 'alice', { ...proxies, addresses: [] })).toBeUndefined();
  });

  it('is not one of two in the header', () => {
    expect(userOf('10.0.0.5', 'alice, mallory')).toBe('alice, mallory');
  });
});
