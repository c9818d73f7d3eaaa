import { describe, expect, it } from 'vitest';
import { readSpanHeaders } from '../../../src/runtime/tracing/open-span-exports.ts';
import { FakeFiles } from '../../support/fake-files.ts';

function read(text: string) {
  return readSpanHeaders('h.txt', new FakeFiles({ 'h.txt': text }));
}

describe('readSpanHeaders', () => {
  it.each([
    ['Authorization: Bearer abc', { Authorization: 'Bearer abc' }],
    ['a: 1\r\n\r\n# why\n  b :2 \n', { a: '1', b: '2' }],
    ['x-scope: a: b=c', { 'x-scope': 'a: b=c' }],
    ['empty:', { empty: '' }],
    ['', {}],
  ])('reads %j', async (text, headers) => {
    expect(await read(text)).toEqual({ ok: true, value: headers });
  });

  it.each(['canary', 'a b: canary', 'a: can\u0000ary', ': canary', 'a: cänary'])(
    'refuses %j without repeating it',
    async (text) => {
      const error = 'headers_file has a line that is not `Name: value`';
      expect(await read(`good: 1\n${text}`)).toEqual({ ok: false, error });
    },
  );

  it('says that the file is not to be read', async () => {
    const error = 'headers_file cannot be read';
    expect(await readSpanHeaders('none.txt', new FakeFiles())).toEqual({ ok: false, error });
  });
});
