import { expect, it } from 'vitest';
import { serverAttributes, withoutBrackets } from '../../src/trace/server-attributes.ts';

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
