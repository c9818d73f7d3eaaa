import { expect, it } from 'vitest';
import { openSince } from '../../../races/oracle/pressure.ts';
import type { Gate, GateSource } from '../../../src/guard/policy.ts';
import { bound } from '../../guard/scenes.ts';
import { trialOf } from '../logs.ts';

/** Readings every 5 s from 0 on. */
function readings(source: GateSource, values: readonly (number | undefined)[]) {
  return values.map((value, index) => ({ node: 'n1', source, value, at: index * 5000, interval: 5000 }));
}

const cpu = { source: 'node_cpu', bound: bound('> 1'), hold: 10_000 } as const;
const queue = { source: 'queue_depth', bound: bound('>= 20'), hold: 0 } as const;
const any: Gate = { needs: 'any', clauses: [cpu, queue] };
const all: Gate = { needs: 'all', clauses: [cpu, queue] };
const node = 'n1';

it.each<[string, Gate, readonly (number | undefined)[], readonly (number | undefined)[], number, number | undefined]>([
  ['nothing was read', any, [], [], 0, undefined],
  ['it does not last yet', any, [2, 2], [], 9999, undefined],
  ['it lasts', any, [2, 2, 2], [], 10_000, 10_000],
  ['it lasted, and is over', any, [2, 2, 2, 0], [], 15_000, undefined],
  ['a reading failed', any, [2, 2, undefined, 2, 2], [], 20_000, undefined],
  ['the last reading is too old', any, [2, 2, 2], [], 22_501, undefined],
  ['one of two is enough', any, [0], [20], 100, 0],
  ['both are wanted', all, [2, 2, 2], [20, 20, 19], 10_000, undefined],
  ['both are there, since the later one', all, [2, 2, 2, 2], [0, 0, 0, 20], 15_000, 15_000],
  ['one takes over from another', any, [2, 2, 2, 2], [20, 20, 20, 0], 16_000, 0],
])('tells since when a gate is open where %s', (_, gate, cpus, queues, at, since) => {
  const trial = trialOf({ readings: [...readings('node_cpu', cpus), ...readings('queue_depth', queues)] });
  expect(openSince(trial, gate, { node, at })).toBe(since);
});

it('forgets what was before a crash', () => {
  const trial = trialOf({ readings: readings('queue_depth', [20, 20]), downs: [{ from: 100, to: 4000 }] });
  expect(openSince(trial, any, { node, at: 3000 })).toBe(0);
  expect(openSince(trial, any, { node, at: 4500 })).toBeUndefined();
  expect(openSince(trial, any, { node, at: 5000 })).toBe(5000);
});
