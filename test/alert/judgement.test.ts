import { expect, it } from 'vitest';
import { judgeCluster, judgeSelf } from '../../src/alert/judgement.ts';
import { ruleOf, selfRuleOf, settingsOf, situationOf } from './alerting-bed.ts';

const now = { wall: 0, mono: 0 };
const one = ruleOf('one');
const two = ruleOf('two', { needs: ['health'], thresholds: [{ name: 'most', about: '', unit: 'count', value: 5 }] });

it('asks each rule, with its thresholds, and puts what it finds in its place', () => {
  const asked: unknown[] = [];
  const spying = ruleOf('two', {
    judge: (situation, thresholds, at) => {
      asked.push([situation.cluster, thresholds, at]);
      return [{ labels: { node: 'm1' }, facts: {} }];
    },
  });
  const enabled = [
    { rule: one, settings: settingsOf(one) },
    { rule: spying, settings: settingsOf(two, { thresholds: { most: 9 } }) },
  ];
  const judgement = judgeCluster(situationOf({ rules: { one: [{ node: 'm2' }] } }), enabled, now);
  expect(asked).toEqual([['prod', { most: 9 }, now]]);
  expect([...judgement.found.values()].map(({ rule, verdict }) => [rule.name, verdict.labels])).toEqual([
    ['one', { node: 'm2' }],
    ['two', { node: 'm1' }],
  ]);
  expect([...judgement.rules.keys()]).toEqual(['one', 'two']);
});

it('knows where the facts of a rule are stale', () => {
  const judgement = judgeCluster(
    situationOf({ rules: {}, stale: ['m1'] }),
    [{ rule: one, settings: settingsOf(one) }],
    now,
  );
  expect(judgement.isKnown('one', { node: 'm1' })).toBe(false);
  expect(judgement.isKnown('one', { node: 'm2' })).toBe(true);
  expect(judgement.isKnown('of another version', { node: 'm1' })).toBe(true);
});

it('knows everything about ourselves', () => {
  const rule = selfRuleOf('own');
  const failing = { receiver: 'chat', failing: true, result: 'broken' as const, depth: 0, parked: 0 };
  const self = { receivers: [failing], stateDurable: true, stateTrouble: '' };
  const judgement = judgeSelf(self, [{ rule, settings: settingsOf(rule) }], now);
  expect(judgement.cluster).toBe('');
  expect(judgement.found.size).toBe(1);
  expect(judgement.isKnown('own', {})).toBe(true);
});
