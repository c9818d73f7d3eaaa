import { expect, it } from 'vitest';
import { behaviorSequence, type ReceiverBehavior } from '../../../src/simulator/receivers/receiver-behavior.ts';

const random = (seed: number, chance: number): ReceiverBehavior => ({
  kind: 'random',
  seed,
  chance,
  of: [
    { kind: 'refuse', status: 503 },
    { kind: 'drop', isAccepted: true },
  ],
});

function kindsOf(manner: ReceiverBehavior, count = 400): readonly string[] {
  const turn = behaviorSequence(manner);
  return Array.from({ length: count }, () => turn().kind);
}

it('a fixed behavior does not change', () => {
  expect(new Set(kindsOf({ kind: 'slow', by: 5 }))).toEqual(new Set(['slow']));
});

it('receiver behavior › accepts requests with the configured probability, reproducibly', () => {
  const words = kindsOf(random(7, 0.5));
  expect(words).toEqual(kindsOf(random(7, 0.5)));
  expect(words).not.toEqual(kindsOf(random(8, 0.5)));
  const healthy = words.filter((word) => word === 'healthy').length;
  expect(healthy).toBeGreaterThan(150);
  expect(healthy).toBeLessThan(250);
  expect(new Set(words)).toEqual(new Set(['healthy', 'refuse', 'drop']));
});

it('a random behavior is always healthy with the chance 0, and never with the chance 1', () => {
  expect(new Set(kindsOf(random(1, 0)))).toEqual(new Set(['healthy']));
  expect(kindsOf(random(1, 1))).not.toContain('healthy');
});

it('a random behavior is healthy without alternatives', () => {
  expect(new Set(kindsOf({ kind: 'random', seed: 1, chance: 1, of: [] }))).toEqual(new Set(['healthy']));
});
