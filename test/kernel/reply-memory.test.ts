import { expect, it } from 'vitest';
import { freeMemory } from '../../src/kernel/reply-memory.ts';

it('the memory of a view is freed once', () => {
  const bytes = new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }), 1);
  freeMemory(bytes);
  freeMemory(bytes);
  expect(bytes).toHaveLength(0);
});

it('shared memory is not freed', () => {
  const bytes = new Uint8Array(new SharedArrayBuffer(4));
  freeMemory(bytes);
  expect(bytes).toHaveLength(4);
});
