import { expect, it } from 'vitest';
import { createGuard, reconfigureGuard } from '../../../src/guard/decision/create-guard.ts';
import { policyOf } from '../match-inputs.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const hand = { kind: 'manual', node: 'n1', by: 'alice', reason: 'node overloaded', whilePaused: true } as const;
const cluster = { cluster: 'prod', nodes: ['n1'], instances: { n1: 'RESTPP_1_1' }, interval: 5000 };

function reload(simulation: GuardSimulation): void {
  const settings = settingsOf([policyOf(undefined, { grace: 60_000 })]);
  simulation.state = reconfigureGuard(simulation.state, createGuard(settings, cluster), false);
}

function pauseAndResume(simulation: GuardSimulation): void {
  for (const isPaused of [true, false]) simulation.send({ kind: 'paused', isPaused });
}

it.each([
  ['a reload of other policies', reload],
  ['a pause and a resume', pauseAndResume],
])('a manual abort that waits for another one on its node continues after %s', (_, interrupt) => {
  const simulation = new GuardSimulation(settingsOf([policyOf()]), { response: () => 1200 }).begin();
  const [first, second] = [simulation.start(), simulation.start()];
  simulation.run(100).send({ ...hand, id: first.id });
  simulation.run(50).send({ ...hand, id: second.id });
  simulation.run(900).poll('n1');
  simulation.run(100);
  expect([...simulation.state.decisions.values()]).toMatchObject([{ phase: 'sent' }, { phase: 'fresh' }]);
  interrupt(simulation);
  simulation.run(30_000);
  expect(simulation.aborts.map(({ order }) => order.id)).toEqual([first.id, second.id]);
  const [, intent] = simulation.of('intent');
  expect(intent?.intent.evidence.firstSeenAt).toBe(intent?.intent.evidence.lastSeenAt);
});
