import { describe, expect, it } from 'vitest';
import { hasAbortsInFlight } from '../../../src/guard/decision/create-guard.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { decisionOf } from './decisions.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const minute = 60_000;

describe('guard between steps', () => {
  it.each([
    [['sent'], true],
    [['committing'], true],
    [['grace', 'sent', 'fresh'], true],
    [['verifying', 'committing'], true],
    [['grace', 'fresh', 'verifying'], false],
    [[], false],
  ] as const)('with decisions that are %j: %s', (phases, expected) => {
    const decisions = new Map(phases.map((phase) => [phase, decisionOf({ key: phase, phase })]));
    expect(hasAbortsInFlight({ ...initialState(), decisions })).toBe(expected);
  });
});

describe('guard state', () => {
  it.each([
    ['enforce', minute],
    ['observe', minute],
    ['enforce', 36 * 60 * minute],
  ] as const)('drops attempts after a day, or outside of every limit: %s, %d', (mode, longest) => {
    const budgets = { perNode: { max: 3, within: longest }, perCluster: { max: 6, within: minute } };
    const settings = settingsOf([policyOf(undefined, { mode })], { budgets });
    const simulation = new GuardSimulation(settings, {}, { interval: 10 * minute }).begin();
    simulation.start({ lasts: 60 * minute });
    const spent = () => (mode === 'enforce' ? simulation.state.attempts : simulation.state.observeModeAttempts).length;
    simulation.run(50 * minute);
    expect(spent()).toBe(1);
    simulation.run(24 * 60 * minute - 55 * minute);
    expect(spent()).toBe(1);
    simulation.run(Math.max(longest - 24 * 60 * minute, 0));
    expect(spent()).toBe(1);
    simulation.run(60 * minute);
    expect(spent()).toBe(0);
  });

  it('keeps the time since which a group condition holds', () => {
    const group = { by: ['node'], count: bound('>= 2') } as const;
    const simulation = new GuardSimulation(settingsOf([policyOf(undefined, { group, grace: 5 * minute })])).begin();
    simulation.start();
    simulation.start({ url: '/query/fraud/other' });
    simulation.run(2 * minute);
    const held = [...simulation.state.groups];
    expect(held).toHaveLength(1);
    expect([...simulation.run(minute).state.groups]).toEqual(held);
  });
});
