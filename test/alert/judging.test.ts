import { describe, expect, it } from 'vitest';
import { begun, hasHeld, judged } from '../../src/alert/judging.ts';
import { digest } from '../../src/runtime/digest.ts';
import { ruleOf, selfRuleOf, settingsOf } from './alerting-bed.ts';

const rule = ruleOf('slow', { hold: 10_000 });
const cluster = { cluster: 'prod', labels: { env: 'test', node: 'overridden' } };
const verdict = { labels: { node: 'm1' }, facts: { value: '1' } };
const now = { wall: 1_790_000_000_000, mono: 50_000 };

describe('what is seen first', () => {
  it('is pending, with the labels of rule, cluster and place', () => {
    const settings = settingsOf(rule, { labels: { team: 'graph', alertname: 'mine' } });
    const episode = begun(judged(verdict, rule, settings, cluster), digest, now);
    expect(episode).toMatchObject({
      phase: 'pending',
      number: 0,
      startsAt: now.wall,
      told: {},
      identity: verdict.labels,
    });
    expect(episode.labels).toEqual({
      team: 'graph',
      env: 'test',
      node: 'm1',
      alertname: 'GraphdbSlow',
      severity: 'warning',
      cluster_name: 'prod',
    });
  });

  it('has no cluster where it is about ourselves', () => {
    const own = selfRuleOf('own');
    const one = judged({ labels: { receiver: 'a' }, facts: {} }, own, settingsOf(own), { cluster: '', labels: {} });
    expect(begun(one, digest, now).labels).toEqual({ receiver: 'a', alertname: 'GraphwardenOwn', severity: 'warning' });
  });

  it('did not begin in the future', () => {
    const one = judged({ ...verdict, since: now.wall + 5000 }, rule, settingsOf(rule), cluster);
    expect(begun(one, digest, now).startsAt).toBe(now.wall);
  });
});

describe('the severity', () => {
  it.each([
    [undefined, undefined, 'warning'],
    ['critical', undefined, 'critical'],
    ['critical', 'info', 'info'],
    [undefined, 'info', 'info'],
  ] as const)('of a verdict that says %s, configured as %s, is %s', (said, configured, expected) => {
    const settings = settingsOf(rule, configured === undefined ? {} : { severity: configured });
    const one = judged(said === undefined ? verdict : { ...verdict, severity: said }, rule, settings, cluster);
    expect(begun(one, digest, now).severity).toBe(expected);
    expect(one.place).toContain(`"${expected}"`);
  });
});

describe('a hold', () => {
  function held(after: number, more: Partial<typeof verdict & { hold: number; since: number }>, configured?: number) {
    const settings = settingsOf(rule, configured === undefined ? {} : { hold: configured });
    const one = judged({ ...verdict, ...more }, rule, settings, cluster);
    const episode = begun(one, digest, now);
    return hasHeld(episode, one, { wall: now.wall + after, mono: now.mono + after });
  }

  it.each([
    [9_999, {}, undefined, false],
    [10_000, {}, undefined, true],
    [3_000, { hold: 3_000 }, undefined, true],
    [3_000, { hold: 3_000 }, 20_000, false],
    [0, {}, 0, true],
    [0, { since: now.wall - 10_000 }, undefined, true],
    [0, { since: now.wall - 9_000 }, undefined, false],
    [1_000, { since: now.wall - 9_000 }, undefined, true],
  ])('after %d ms with %j, configured as %s: %s', (after, more, configured, expected) => {
    expect(held(after, more, configured)).toBe(expected);
  });
});
