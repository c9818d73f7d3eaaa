import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { combineChecksums } from '../../src/expose/gzip.ts';

it('gzip checksum › combines the checksums of two parts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (first, second) => {
      const both = Buffer.concat([first, second]);
      expect(combineChecksums(crc32(first), crc32(second), second.length)).toBe(crc32(both));
    }),
  );
});

it('gzip checksum › combines the checksums of long parts', () => {
  const first = Buffer.from('graph');
  for (const length of [1, 65_535, 65_536, 1_000_003]) {
    const second = Buffer.alloc(length, 'warden');
    expect(combineChecksums(crc32(first), crc32(second), length)).toBe(crc32(Buffer.concat([first, second])));
  }
});

it('gzip checksum › does not change a checksum for an empty second part', () => {
  expect(combineChecksums(0x12345678, 0, 0)).toBe(0x12345678);
});
