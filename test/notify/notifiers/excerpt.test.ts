import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/kernel/http.ts';
import { excerpt, isPage, pathParts, textOf } from '../../../src/notify/notifiers/excerpt.ts';

function reply(text: string, type = 'text/plain'): HttpReply {
  return { status: 400, headers: { 'content-type': type }, body: new TextEncoder().encode(text) };
}

describe('what is shown of an answer', () => {
  it('is its beginning, as one line', () => {
    expect(excerpt(reply('no\n such \u0007 key'), [])).toBe('no such key');
    expect(excerpt(reply('x'.repeat(1000)), [])).toHaveLength(200);
    expect(excerpt(reply(''), [])).toBe('');
  });

  it('never holds what is hidden, not even a part that the end would cut off', () => {
    expect(excerpt(reply('key s3cret is not s3cret'), ['', 's3cret'])).toBe('key [secret] is not [secret]');
    expect(excerpt(reply(`${'x'.repeat(197)}s3cret`), ['s3cret'])).not.toContain('s3');
  });

  it('is nothing of a page for browsers', () => {
    expect(isPage(reply('<html>', 'text/html; charset=utf-8'))).toBe(true);
    expect(excerpt(reply('<html>', 'Text/HTML'), [])).toBe('');
    expect(isPage({ ...reply(''), headers: {} })).toBe(false);
  });

  it('takes long parts of a path and of a query for secrets', () => {
    const parts = ['/hooks/T012345678/a', '?q=1234%2056789', 'T012345678', '1234%2056789', '1234 56789'];
    expect(pathParts('https://x.test/hooks/T012345678/a?q=1234%2056789')).toEqual(parts);
    expect(pathParts('https://x.test/')).toEqual([]);
  });

  it('reads what is no UTF-8 as well as it can', () => {
    expect(textOf({ ...reply(''), body: Uint8Array.of(0x61, 0xff) })).toBe('a\uFFFD');
  });
});
