import { expect, it } from 'vitest';
import { evaluateClusterRules, evaluateSelfRules } from '../../src/alert/evaluation.ts';
import { ruleOf, selfRuleOf, settingsOf, situationOf } from './alerting-testbed.ts';
import { view } from './rules/rule-fixtures.ts';

const now = { wall: 0, mono: 0 };
const one = ruleOf('one');
const two = ruleOf('two', { needs: ['health'], thresholds: [{ name: 'most', about: '', unit: 'count', value: 5 }] });

it('evaluation › evaluates each rule with its thresholds, and adds the cluster to its alerts', () => {
  const evaluated: unknown[] = [];
  const spying = ruleOf('two', {
    evaluate: (situation, thresholds, at) => {
      evaluated.push([situation.cluster, thresholds, at]);
      return [{ labels: { node: 'm1' }, facts: {} }];
    },
  });
  const enabled = [
    { rule: one, settings: settingsOf(one) },
    { rule: spying, settings: settingsOf(two, { thresholds: { most: 9 } }) },
  ];
  const evaluation = evaluateClusterRules(situationOf({ rules: { one: [{ node: 'm2' }] } }), enabled, now);
  expect(evaluated).toEqual([['prod', { most: 9 }, now]]);
  expect([...evaluation.active.values()].map(({ rule, finding: verdict }) => [rule.name, verdict.labels])).toEqual([
    ['one', { node: 'm2' }],
    ['two', { node: 'm1' }],
  ]);
  expect([...evaluation.rules.keys()]).toEqual(['one', 'two']);
});

it('evaluation › reports for which subjects the facts of a rule are stale', () => {
  const evaluation = evaluateClusterRules(
    situationOf({ rules: {}, stale: ['m1'] }),
    [{ rule: one, settings: settingsOf(one) }],
    now,
  );
  expect(evaluation.isKnown('one', { node: 'm1' })).toBe(false);
  expect(evaluation.isKnown('one', { node: 'm2' })).toBe(true);
  expect(evaluation.isKnown('of another version', { node: 'm1' })).toBe(true);
});

it('evaluation › treats the facts about graphwarden itself as always fresh', () => {
  const rule = selfRuleOf('own');
  const failing = { receiver: 'chat', failing: true, result: 'broken' as const, depth: 0, parked: 0 };
  const self = { receivers: [failing], stateDurable: true, stateProblem: '' };
  const evaluation = evaluateSelfRules(self, [{ rule, settings: settingsOf(rule) }], now);
  expect(evaluation.cluster).toBe('');
  expect(evaluation.active.size).toBe(1);
  expect(evaluation.isKnown('own', {})).toBe(true);
});

it('evaluation › detects nodes, collectors and receivers that left the configuration', () => {
  const situation = {
    ...situationOf({ rules: {} }),
    cluster: 'prod',
    nodes: ['m1'],
    collectors: [view('queries', 'm1')],
  };
  const evaluation = evaluateClusterRules(situation, [], now);
  expect(evaluation.removed({ node: 'm1' })).toBeUndefined();
  expect(evaluation.removed({ node: '' })).toBeUndefined();
  expect(evaluation.removed({ node: 'm2' })).toBe('m2 is no longer a node of prod, and is not polled.');
  expect(evaluation.removed({ node: 'm1', collector: 'queries' })).toBeUndefined();
  expect(evaluation.removed({ node: 'm1', collector: 'license' })).toBe(
    'The collector license is no longer enabled on m1.',
  );
  const self = evaluateSelfRules({ receivers: [], stateDurable: true, stateProblem: '' }, [], now);
  expect(self.removed({})).toBeUndefined();
  expect(self.removed({ receiver: 'chat' })).toBe('The receiver chat is no longer configured.');
});
