import { describe, expect, it } from 'vitest';
import { fieldsOf, longsOf, messagesOf, textOf } from './protobuf.ts';

describe('the reader of protobuf', () => {
  it('reads each wire type', () => {
    const bytes = [0x08, 0x96, 0x01, 0x12, 0x02, 0x68, 0x69, 0x19, 1, 0, 0, 0, 0, 0, 0, 0x80, 0x25, 2, 0, 0, 0];
    const fields = fieldsOf(Uint8Array.from(bytes));
    expect(longsOf(fields, 1)).toEqual([150n]);
    expect(textOf(fields, 2)).toBe('hi');
    expect(longsOf(fields, 3)).toEqual([0x8000000000000001n]);
    expect(longsOf(fields, 4)).toEqual([2n]);
    expect([textOf(fields, 9), longsOf(fields, 9), messagesOf(fields, 9)]).toEqual(['', [], []]);
  });

  it('reads repeated and nested fields', () => {
    const fields = fieldsOf(Uint8Array.from([0x0a, 2, 0x08, 1, 0x0a, 2, 0x08, 2]));
    expect(messagesOf(fields, 1).map((one) => longsOf(one, 1))).toEqual([[1n], [2n]]);
  });

  it.each([[[0x0a, 5, 1]], [[0x08]], [[0x0b]], [[0x19, 1]]])('refuses %j', (bytes) => {
    expect(() => fieldsOf(Uint8Array.from(bytes))).toThrow(/ends at|wire type/);
  });
});
