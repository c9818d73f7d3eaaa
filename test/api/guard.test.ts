import { expect, it } from 'vitest';
import {
  abortSchema,
  decisionSchema,
  guardSchema,
  pauseReasons,
  pauseReasonTexts,
  pauseSchema,
} from '../../src/api/guard.ts';
import { abortOutcomes } from '../../src/model/guard.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('abort', abortSchema, [
  { outcome: 'done' },
  { outcome: undefined },
  { id: 7 },
  { id: '' },
  { cluster: '' },
  { node: '' },
  { manual: { by: 'alice' } },
]);

describeObject('decision', decisionSchema, [{ mode: 'sometimes' }, { phase: 'waiting' }, { skipReason: 7 }]);

describeObject('pause', pauseSchema, [
  { paused: 'no' },
  { reasons: 'file' },
  { reasons: ['file', 'else'] },
  { clusters: undefined },
  { clusters: [{ cluster: 'prod', paused: true, reasons: ['else'] }] },
]);

describeObject('state of the guard', guardSchema, [
  { paused: 'no' },
  { reasons: 'file' },
  { breakers: undefined },
  { breakers: [{}] },
  { mode: 'x' },
  { policies: [{ name: 'b', mode: 'sometimes' }] },
  { policies: [7] },
]);

it('guard schema › accepts every outcome, and an abort without an outcome', () => {
  for (const outcome of [...abortOutcomes, null]) {
    expect(abortSchema.parse({ ...exampleOf(abortSchema), outcome })).toMatchObject({ outcome });
  }
});

it('guard schema › accepts every reason for a pause', () => {
  expect(pauseSchema.parse({ paused: true, reasons: pauseReasons, clusters: [] }).reasons).toEqual(pauseReasons);
});

it('guard schema › keeps the time of an open circuit breaker, and its reason', () => {
  const [breaker] = guardSchema.parse(exampleOf(guardSchema)).breakers;
  expect(breaker).toMatchObject({ key: 'no_relief runaway', reason: 'no_relief', since: '2026-01-31T12:00:00.000Z' });
});

it('each reason of a pause has its own text', () => {
  const texts = pauseReasons.map((reason) => pauseReasonTexts[reason]);
  expect(new Set(texts).size).toBe(pauseReasons.length);
  for (const words of texts) expect(words).toMatch(/^(?:an?|the) .+[^.]$/);
});
