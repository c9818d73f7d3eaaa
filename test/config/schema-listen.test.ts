import { describe, expect, it } from 'vitest';
import { listenField } from '../../src/config/schema.ts';

describe('listenField', () => {
  it.each([
    ['127.0.0.1:9916', '127.0.0.1', 9916],
    ['0.0.0.0:0', '0.0.0.0', 0],
    [':9916', '0.0.0.0', 9916],
    ['localhost:80', 'localhost', 80],
    ['warden-0.example.org:65535', 'warden-0.example.org', 65_535],
    ['[::1]:9916', '::1', 9916],
    ['[::]:9916', '::', 9916],
    ['[::ffff:127.0.0.1]:1', '::ffff:127.0.0.1', 1],
  ])('reads %s', (text, host, port) => {
    expect(listenField.parse(text)).toEqual({ host, port });
  });

  it.each([
    '',
    '9916',
    'localhost',
    'a:65536',
    'a:-1',
    'a:1:2',
    '::1:9916',
    '[::1]',
    '[localhost]:1',
    'http://a:1',
    'a b:1',
  ])('refuses %j', (text) => {
    expect(listenField.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      'must be host:port, :port or [address]:port, with a port up to 65535',
    ]);
  });
});
