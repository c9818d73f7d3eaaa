import { expect, it } from 'vitest';
import { gateOpenSince } from '../../../../campaigns/races/oracle/conditions.ts';
import type { Gate, GateSource } from '../../../../src/guard/policy.ts';
import { bound } from '../../../guard/match-inputs.ts';
import { recordedRunOf } from '../logs.ts';

/** Returns samples every 5 s from 0 on. */
function readings(source: GateSource, values: readonly (number | undefined)[]) {
  return values.map((value, index) => ({
    node: 'n1',
    source,
    value,
    at: index * 5000,
    collectedAt: index * 5000,
    interval: 5000,
  }));
}

const cpu = { source: 'node_cpu', bound: bound('> 1'), for: 10_000 } as const;
const queue = { source: 'queue_depth', bound: bound('>= 20'), for: 0 } as const;
const any: Gate = { needs: 'any', clauses: [cpu, queue] };
const all: Gate = { needs: 'all', clauses: [cpu, queue] };
const node = 'n1';

interface Case {
  readonly about: string;
  readonly gate: Gate;
  readonly cpus?: readonly (number | undefined)[];
  readonly queues?: readonly (number | undefined)[];
  readonly at: number;
  readonly since: number | undefined;
}

it.each<Case>([
  { about: 'nothing was read', gate: any, at: 0, since: undefined },
  { about: 'it does not last yet', gate: any, cpus: [2, 2], at: 9999, since: undefined },
  { about: 'it lasts', gate: any, cpus: [2, 2, 2], at: 10_000, since: 10_000 },
  { about: 'it lasted, and is over', gate: any, cpus: [2, 2, 2, 0], at: 15_000, since: undefined },
  { about: 'a sample is missing', gate: any, cpus: [2, 2, undefined, 2, 2], at: 20_000, since: undefined },
  { about: 'the last sample is too old', gate: any, cpus: [2, 2, 2], at: 22_501, since: undefined },
  { about: 'one of two is enough', gate: any, cpus: [0], queues: [20], at: 100, since: 0 },
  { about: 'both are wanted', gate: all, cpus: [2, 2, 2], queues: [20, 20, 19], at: 10_000, since: undefined },
  { about: 'both are there', gate: all, cpus: [2, 2, 2, 2], queues: [0, 0, 0, 20], at: 15_000, since: 15_000 },
  { about: 'one takes over', gate: any, cpus: [2, 2, 2, 2], queues: [20, 20, 20, 0], at: 16_000, since: 0 },
])(
  'gate condition oracle › returns since when a gate is open if $about',
  ({ gate, cpus = [], queues = [], at, since }) => {
    const trial = recordedRunOf({ samples: [...readings('node_cpu', cpus), ...readings('queue_depth', queues)] });
    expect(gateOpenSince(trial, gate, { node, at })).toBe(since);
  },
);

it('gate condition oracle › ignores samples from before a crash', () => {
  const trial = recordedRunOf({ samples: readings('queue_depth', [20, 20]), downtimes: [{ from: 100, to: 4000 }] });
  expect(gateOpenSince(trial, any, { node, at: 3000 })).toBe(0);
  expect(gateOpenSince(trial, any, { node, at: 4500 })).toBeUndefined();
  expect(gateOpenSince(trial, any, { node, at: 5000 })).toBe(5000);
});
