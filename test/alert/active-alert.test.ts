import { describe, expect, it } from 'vitest';
import { activeAlert, isPendingPeriodOver, pendingIncident } from '../../src/alert/active-alert.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { ruleOf, selfRuleOf, settingsOf } from './alerting-testbed.ts';

const rule = ruleOf('slow', { for: 10_000 });
const cluster = { cluster: 'prod', labels: { env: 'test', node: 'overridden' } };
const finding = { labels: { node: 'm1' }, facts: { value: '1' } };
const now = { wall: 1_790_000_000_000, mono: 50_000 };

describe('a new alert', () => {
  it('is pending, with the labels of its rule, cluster and subject', () => {
    const settings = settingsOf(rule, { labels: { team: 'graph', alertname: 'mine' } });
    const incident = pendingIncident(activeAlert(finding, rule, settings, cluster), digest, now);
    expect(incident).toMatchObject({
      phase: 'pending',
      number: 0,
      startsAt: now.wall,
      notified: {},
      identity: finding.labels,
    });
    expect(incident.labels).toEqual({
      team: 'graph',
      env: 'test',
      node: 'm1',
      alertname: 'GraphdbSlow',
      severity: 'warning',
      cluster_name: 'prod',
    });
  });

  it('has no cluster if it is about graphwarden itself', () => {
    const own = selfRuleOf('own');
    const one = activeAlert({ labels: { receiver: 'a' }, facts: {} }, own, settingsOf(own), {
      cluster: '',
      labels: {},
    });
    expect(pendingIncident(one, digest, now).labels).toEqual({
      receiver: 'a',
      alertname: 'GraphwardenOwn',
      severity: 'warning',
    });
  });

  it('does not begin in the future', () => {
    const one = activeAlert({ ...finding, since: now.wall + 5000 }, rule, settingsOf(rule), cluster);
    expect(pendingIncident(one, digest, now).startsAt).toBe(now.wall);
  });
});

describe('the severity', () => {
  it.each([
    [undefined, undefined, 'warning'],
    ['critical', undefined, 'critical'],
    ['critical', 'info', 'info'],
    [undefined, 'info', 'info'],
  ] as const)('of a finding with %s, configured as %s, is %s', (said, configured, expected) => {
    const settings = settingsOf(rule, configured === undefined ? {} : { severity: configured });
    const one = activeAlert(said === undefined ? finding : { ...finding, severity: said }, rule, settings, cluster);
    expect(pendingIncident(one, digest, now).severity).toBe(expected);
    expect(one.identityKey).toContain(`"${expected}"`);
  });
});

describe('a hold', () => {
  function held(after: number, more: Partial<typeof finding & { for: number; since: number }>, configured?: number) {
    const settings = settingsOf(rule, configured === undefined ? {} : { for: configured });
    const one = activeAlert({ ...finding, ...more }, rule, settings, cluster);
    const incident = pendingIncident(one, digest, now);
    return isPendingPeriodOver(incident, one, { wall: now.wall + after, mono: now.mono + after });
  }

  it.each([
    [9_999, {}, undefined, false],
    [10_000, {}, undefined, true],
    [3_000, { for: 3_000 }, undefined, true],
    [3_000, { for: 3_000 }, 20_000, false],
    [0, {}, 0, true],
    [0, { since: now.wall - 10_000 }, undefined, true],
    [0, { since: now.wall - 9_000 }, undefined, false],
    [1_000, { since: now.wall - 9_000 }, undefined, true],
  ])('after %d ms with %j, configured as %s: %s', (after, more, configured, expected) => {
    expect(held(after, more, configured)).toBe(expected);
  });
});
