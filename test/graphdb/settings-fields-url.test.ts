import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlField } from '../../src/graphdb/settings-fields.ts';

const field = urlField('http://10.0.0.1:14240');

function complaint(text: string): string | undefined {
  return field.safeParse(text).error?.issues[0]?.message;
}

describe('urlField', () => {
  it.each([
    ['http://10.0.0.1:14240', 'http://10.0.0.1:14240'],
    ['http://10.0.0.1:14240/', 'http://10.0.0.1:14240'],
    ['https://graph.example.org/behind/prefix//', 'https://graph.example.org/behind/prefix'],
    ['http://[::1]:14240', 'http://[::1]:14240'],
    ['HTTP://Graph', 'http://graph'],
    ['http://a:80', 'http://a'],
    ['http://a\n/b\t', 'http://a/b'],
    [' http://a ', 'http://a'],
  ])('accepts %j', (text, url) => {
    expect(field.parse(text)).toBe(url);
  });

  it.each([
    ['', 'must be an address that begins with http:// or https://'],
    ['10.0.0.1:14240', 'must be an address that begins with http:// or https://'],
    ['ftp://a', 'must be an address that begins with http:// or https://'],
    ['javascript:alert(1)', 'must be an address that begins with http:// or https://'],
    ['http:a', 'must be an address that begins with http:// or https://'],
    ['http://', 'is not an address: the host or the port (1 to 65535) is invalid'],
    ['http://a:99999', 'is not an address: the host or the port (1 to 65535) is invalid'],
    ['http://u:p@a', 'must not contain a user name or a password'],
    ['http://u@a', 'must not contain a user name or a password'],
    ['http://:p@a', 'must not contain a user name or a password'],
    ['http://a?', 'must not have a query or a fragment'],
    ['http://a/?token=t', 'must not have a query or a fragment'],
    ['http://a/#t', 'must not have a query or a fragment'],
  ])('refuses %j', (text, message) => {
    expect(complaint(text)).toBe(message);
  });

  it('shows an example, and never the given value', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.uuid(), (url, secret) => {
        const issues = field.safeParse(`${url}?${secret}`).error?.issues ?? [];
        expect(JSON.stringify(issues)).not.toContain(secret);
        expect(JSON.stringify(issues)).toContain('for example http://10.0.0.1:14240');
      }),
    );
  });
});
