import { expect, it } from 'vitest';
import { z } from 'zod';
import { accessFields } from '../../src/config/access-section.ts';

const schema = z.strictObject(accessFields);

it('access section › has no users and no proxies by default', () => {
  const web = { trustedProxies: [], userHeader: 'X-Forwarded-User', allowedHosts: [], maxConnections: 512 };
  expect(schema.parse({})).toEqual({ operators: [], readers: [], scrapers: [], web });
});

it('access section › accepts addresses, networks and host names, in lower case', () => {
  const web = { trusted_proxies: ['10.0.0.5', '10.0.0.0/24', '::1', 'fd00::/8'], allowed_hosts: ['Warden', '*.a.b'] };
  expect(schema.parse({ web }).web).toMatchObject({ allowedHosts: ['warden', '*.a.b'] });
});

it.each([
  ['http://10.0.0.7:9916', 'http://10.0.0.7:9916'],
  ['http://[10.0.0.7]:9916/', 'http://10.0.0.7:9916'],
  ['https://[fd00::7]:9916', 'https://[fd00::7]:9916'],
  ['https://warden-0.warden', 'https://warden-0.warden'],
])('access section › accepts %s as the address for other replicas', (given, advertiseUrl) => {
  expect(schema.parse({ web: { advertise_url: given } }).web).toMatchObject({ advertiseUrl });
});

it.each([
  { advertise_url: 'warden:9916' },
  { advertise_url: 'http://fd00::7:9916' },
  { advertise_url: 'http://[fd00:::7]:9916' },
  { advertise_url: 'http://[10.0.0.777]:9916' },
  { advertise_url: 'http://warden/path' },
  { advertise_url: 'http://user:secret@warden' },
  { advertise_url: 'http://warden:99999' },
  { advertise_url: 'ftp://warden' },
  { trusted_proxies: ['proxy.example.org'] },
  { trusted_proxies: ['10.0.0.0/33'] },
  { trusted_proxies: [''] },
  { allowed_hosts: ['warden:9916'] },
  { allowed_hosts: ['https://warden'] },
  { allowed_hosts: ['*'] },
  { allowed_hosts: ['a.*'] },
  { user_header: 'X User' },
])('access section › refuses %j', (web) => {
  expect(schema.safeParse({ web }).success).toBe(false);
});
