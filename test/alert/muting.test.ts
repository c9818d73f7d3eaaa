import { describe, expect, it } from 'vitest';
import type { InhibitRuleSettings, Silence } from '../../src/alert/alerting.ts';
import type { Incident } from '../../src/alert/incident.ts';
import { mutedIncidents } from '../../src/alert/muting.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, ruleOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: Date.UTC(2026, 8, 22, 5), mono: 500_000 };

function inhibits(source: string, target: string, equal: readonly string[] = ['node']): InhibitRuleSettings {
  return { sourceMatchers: matchersOf(source), targetMatchers: matchersOf(target), equal };
}

/** Returns the rules of the incidents that are muted, each with the rule of the alert that mutes it. */
function muted(
  firing: readonly Incident[],
  inhibitRules: readonly InhibitRuleSettings[],
  silences: readonly Silence[] = [],
): Readonly<Record<string, string>> {
  const incidents = new Map(firing.map((one) => [one.identityKey, one]));
  const found = mutedIncidents(firing, {
    silences: new Map(silences.map((one) => [one.id, one])),
    maintenance: [],
    inhibitRules,
    incidents,
    now,
  });
  return Object.fromEntries(
    [...found].map(([key, by]) => [
      incidents.get(key)?.rule ?? '',
      by.kind === 'inhibition' ? (incidents.get(by.by)?.rule ?? '') : by.kind,
    ]),
  );
}

const node = { node: 'm1' };
const [a, b, c] = ['a', 'b', 'c'].map((rule, at) => firingIncident(rule, node, { startsAt: now.wall + at }));
const is = (rule: string) => `alertname="${rule}"`;
const circle = [inhibits(is('a'), is('b')), inhibits(is('b'), is('c')), inhibits(is('c'), is('a'))];

function all(...incidents: readonly (Incident | undefined)[]): readonly Incident[] {
  return incidents.filter((one) => one !== undefined);
}

describe('alerts that inhibit each other', () => {
  const mutual = [inhibits(is('a'), is('b')), inhibits(is('b'), is('a'))];

  it('are muted except the first one', () => {
    expect(muted(all(b, a), mutual)).toEqual({ b: 'a' });
  });

  it('are muted except the most severe one', () => {
    const critical = b && { ...b, severity: 'critical' as const };
    expect(muted(all(a, critical), mutual)).toEqual({ a: 'b' });
  });

  it('are muted except one that no silence matches', () => {
    const silence = {
      id: 's',
      matchers: matchersOf(is('a')),
      startsAt: 0,
      endsAt: now.wall + 1,
      author: 'ada',
      reason: '',
    };
    expect(muted(all(a, b), mutual, [silence])).toEqual({ a: 'silence' });
  });

  it('are muted if another alert inhibits one of them', () => {
    expect(muted(all(a, b, c), [inhibits(is('c'), is('a')), ...mutual])).toEqual({ a: 'c', b: 'a' });
  });

  it('in a circle of three are muted except the first one', () => {
    expect(muted(all(c, a, b), circle)).toEqual({ b: 'a', c: 'b' });
  });

  it('are all muted without a circle, also by an alert that is muted itself', () => {
    expect(muted(all(a, b, c), circle.slice(0, 2))).toEqual({ b: 'a', c: 'b' });
  });

  it('cause one notification', async () => {
    const inhibitRules = [
      inhibits(is('GraphdbFirst'), is('GraphdbSecond')),
      inhibits(is('GraphdbSecond'), is('GraphdbFirst')),
    ];
    const rules = [ruleOf('first'), ruleOf('second', { severity: 'critical' })];
    const bed = new AlertingTestbed({ rules, settings: { inhibitRules } });
    expect(await bed.evaluate({ rules: { first: [node], second: [node] } })).toEqual(['trigger second m1 > chat']);
    expect(await bed.evaluate({ rules: { first: [node] } })).toEqual(['resolve second m1', 'trigger first m1 > chat']);
  });

  it('on different nodes are not muted', () => {
    expect(muted(all(a, firingIncident('b', { node: 'm2' })), mutual)).toEqual({});
  });
});

describe('an alert that a built-in inhibition mutes', () => {
  const unreachable = firingIncident('node_unreachable', node, { severity: 'critical' });
  const blind = firingIncident('collector_blind', node);

  it('does not inhibit its own source', () => {
    expect(muted([blind, unreachable], [inhibits(is('collector_blind'), is('node_unreachable'))])).toEqual({});
  });

  it('inhibits other alerts', () => {
    expect(muted([blind, unreachable, ...all(a)], [inhibits(is('collector_blind'), is('a'))])).toEqual({
      a: 'collector_blind',
    });
  });

  it('does not inhibit the incident that includes it', () => {
    const effect = { ...firingIncident('b', node), lead: a?.identityKey ?? '' };
    expect(muted([effect, ...all(a)], [inhibits(is('b'), is('a'))])).toEqual({});
  });
});
