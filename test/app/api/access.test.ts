import { describe, expect, it } from 'vitest';
import { type AccessSettings, accessRefusal } from '../../../src/app/api/access.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { configOf } from '../fakes.ts';

const web = {
  trustedProxies: [],
  userHeader: 'X-Forwarded-User',
  allowedHosts: ['warden.internal', '*.svc'],
  maxConnections: 512,
};
const settings: AccessSettings = {
  ...configOf([], { web, externalUrl: 'https://warden.example.org/ops', listen: { host: 'monitor', port: 9916 } }),
  hostname: 'Db1',
};

function statusOf(
  sent: Partial<IncomingRequest>,
  more: Partial<AccessSettings> = {},
  route: { readonly isPublic?: true; readonly isForScrapers?: true } = {},
): number | undefined {
  const request = { headers: {}, ...sent } as IncomingRequest;
  return accessRefusal(request, [route], { ...settings, ...more })?.status;
}

describe('host name of a request', () => {
  it.each([
    'localhost',
    'LOCALHOST:9916',
    'localhost.:9916',
    '127.0.0.1:9916',
    '10.244.1.17:9916',
    '[::1]:9916',
    '[fd00::17]',
    'monitor:9916',
    'db1:9916',
    'warden.example.org',
    'warden.internal:9916',
    'graphwarden.monitoring.svc:9916',
  ])('%s is accepted', (host) => {
    expect(statusOf({ headers: { host } })).toBeUndefined();
  });

  it.each([
    'evil.example',
    'evil.example:9916',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'svc',
    'evilsvc',
    'warden.internal.evil.example',
    'db1.evil.example',
    'a:b:c',
    '[::1',
    'user@localhost',
    'localhost, evil.example',
    '',
  ])('%s is refused with 421', (host) => {
    expect(statusOf({ headers: { host } })).toBe(421);
    expect(statusOf({ headers: { host }, user: 'alice' })).toBe(421);
    expect(statusOf({ headers: { host } }, {}, { isForScrapers: true })).toBe(421);
  });

  it('may be absent, as with HTTP/1.0', () => {
    expect(statusOf({})).toBeUndefined();
  });

  it('is not checked for health checks, whose replies contain no data', () => {
    expect(statusOf({ headers: { host: 'evil.example' } }, {}, { isPublic: true })).toBeUndefined();
  });
});

describe('role', () => {
  const roles = { operators: ['alice'], readers: ['bob'], scrapers: ['prometheus'] };
  it.each([
    ['alice', undefined, undefined],
    ['bob', undefined, undefined],
    ['prometheus', 403, undefined],
    ['carol', 403, 403],
    [undefined, 403, 403],
  ])('of %s: status %s for the API and %s for metrics', (user, api, metrics) => {
    const sent = user === undefined ? {} : { user };
    expect(statusOf(sent, roles)).toBe(api);
    expect(statusOf(sent, roles, { isForScrapers: true })).toBe(metrics);
    expect(statusOf(sent, roles, { isPublic: true })).toBeUndefined();
  });

  it('is not required without readers, except of scrapers', () => {
    const open = { ...roles, readers: [] };
    expect(statusOf({ user: 'carol' }, open)).toBeUndefined();
    expect(statusOf({}, open)).toBeUndefined();
    expect(statusOf({ user: 'prometheus' }, open)).toBe(403);
  });
});
