import { expect, it } from 'vitest';
import { Moved } from '../../src/kernel/worker.ts';

it('the transfer list contains the memory of a value', () => {
  const memory = new ArrayBuffer(3);
  const moved = new Moved({ bytes: new Uint8Array(memory) }, [memory]);
  expect(structuredClone(moved.value, { transfer: [...moved.memory] })).toEqual({ bytes: new Uint8Array(3) });
  expect(memory.byteLength).toBe(0);
});
