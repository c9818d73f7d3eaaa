import { expect, it } from 'vitest';
import { stateNotDurable } from '../../../src/alert/rules/state-not-durable.ts';

it.each([
  [true, '', []],
  [true, 'the old one was moved aside', []],
  [false, '', []],
  [false, 'the disk is full', [{ labels: {}, facts: { problem: 'the disk is full' } }]],
])('state_not_durable › where durable is %s and the problem is %j', (stateDurable, stateProblem, expected) => {
  expect([
    ...stateNotDurable.evaluate({ receivers: [], stateDurable, stateProblem }, {}, { wall: 0, mono: 0 }),
  ]).toEqual(expected);
});
