import { expect, it } from 'vitest';
import { hrTime } from '../../../src/runtime/telemetry/hr-time.ts';

it.each([
  [0, [0, 0]],
  [1500, [1, 500_000_000]],
  [1_790_000_000_723.25, [1_790_000_000, 723_250_000]],
])('hrTime › %d ms are %j', (millis, time) => {
  expect(hrTime(millis)).toEqual(time);
});
