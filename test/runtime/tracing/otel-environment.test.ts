import { expect, it } from 'vitest';
import { queueCapacity } from '../../../src/runtime/tracing/otel-environment.ts';

it.each([
  [undefined, 2048],
  ['', 2048],
  ['  ', 2048],
  ['16', 16],
  ['0', 2048],
  ['-1', 2048],
  ['many', 2048],
])('of %j the library makes %d', (text, capacity) => {
  expect(queueCapacity({ OTEL_BSP_MAX_QUEUE_SIZE: text })).toBe(capacity);
});
