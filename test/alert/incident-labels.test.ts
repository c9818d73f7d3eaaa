import { describe, expect, it } from 'vitest';
import { alertViews } from '../../src/alert/alert-view.ts';
import { withConfiguredLabels } from '../../src/alert/incident-labels.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, ruleOf, settingsOf } from './alerting-testbed.ts';
import { firingIncident } from './incident-fixture.ts';

const second = 1000;
const minute = 60 * second;
const quick = ruleOf('quick', { summary: 'quick of team {{team}}', keepFiringFor: 10 * second });
const m1 = { node: 'm1' };
const red = { rules: { quick: [m1] }, labels: { team: 'red' } };
const blue = { rules: { quick: [m1] }, labels: { team: 'blue' } };
const route = { ...catchAllRoute, repeatInterval: 5 * minute };
const routes = [
  { ...route, matchers: matchersOf('team="red"'), receivers: ['red'] },
  { ...route, receivers: ['blue'] },
];

function bedOf(): AlertingTestbed {
  const receivers = ['red', 'blue'].map((name) => ({ name, heartbeat: false }));
  return new AlertingTestbed({ rules: [quick], settings: { routes }, receivers });
}

describe('labels of an open incident', () => {
  it.each([false, true])(
    'follow those of its cluster, and with them the routes; after a restart: %s',
    async (restarts) => {
      const bed = bedOf();
      expect(await bed.evaluate(red)).toEqual(['trigger quick m1 > red']);
      if (restarts) await bed.restart();
      expect(await bed.evaluate(blue, second)).toEqual(['relabel quick m1', 'trigger quick m1 > blue']);
      expect(await bed.evaluate(blue, 5 * minute)).toEqual(['again quick m1 > blue']);
      await bed.restart();
      expect(await bed.evaluate(blue, second)).toEqual([]);
      await bed.evaluate({ ...blue, rules: {} }, second);
      expect(await bed.evaluate({ ...blue, rules: {} }, 10 * second)).toEqual(['resolve quick m1']);
      const alerts = bed.notifications.map(({ alert }) => alert);
      expect(alerts.map(({ labels }) => labels.team)).toEqual(['red', 'blue', 'blue', 'blue', 'blue']);
      expect(new Set(alerts.map(({ key, episode, startsAt }) => `${key} ${episode} ${startsAt}`)).size).toBe(1);
      expect(alerts[1]?.annotations).toMatchObject({ summary: 'quick of team blue', title: 'quick of team red' });
    },
  );

  it('follow those of its rule', async () => {
    const bed = bedOf();
    const withLabel = (team: string) => ({ routes, rules: { quick: settingsOf(quick, { labels: { team } }) } });
    bed.settings = withLabel('red');
    await bed.evaluate({ rules: { quick: [m1] } });
    bed.settings = withLabel('blue');
    expect(await bed.evaluate({ rules: { quick: [m1] } }, second)).toEqual([
      'relabel quick m1',
      'trigger quick m1 > blue',
    ]);
    bed.settings = { routes };
    expect(await bed.evaluate({ rules: { quick: [m1] } }, second)).toEqual(['relabel quick m1']);
    expect(alertViews(bed.state)[0]?.labels).toEqual({
      alertname: 'GraphdbQuick',
      severity: 'warning',
      cluster_name: 'prod',
      env: 'test',
      node: 'm1',
    });
  });

  it('follow them although the alert has no finding, and while it is pending', async () => {
    const bed = bedOf();
    await bed.evaluate(red);
    expect(await bed.evaluate({ ...blue, rules: {} }, second)).toEqual(['relabel quick m1', 'trigger quick m1 > blue']);
    const slow = ruleOf('slow', { for: minute });
    const pending = new AlertingTestbed({ rules: [slow], settings: { routes }, receivers: bed.receivers });
    await pending.evaluate({ ...red, rules: { slow: [m1] } });
    expect(await pending.evaluate({ ...blue, rules: { slow: [m1] } }, minute)).toEqual(['trigger slow m1 > blue']);
  });

  it('decide which silences match', async () => {
    const bed = bedOf();
    await bed.evaluate(red);
    await bed.evaluate(blue, second);
    const times = { startsAt: bed.wall, endsAt: bed.wall + minute };
    const silence = { id: 's', matchers: matchersOf('team="blue"'), ...times, author: 'a', reason: 'b' };
    expect(await bed.step({ kind: 'silence', silence })).toEqual(['suppress quick m1']);
    await bed.evaluate(blue, second);
    expect(alertViews(bed.state)).toMatchObject([{ silencedBy: 's', labels: { team: 'blue' } }]);
  });

  it('are the identity of the alert in Alertmanager: the alert with the former ones ends', async () => {
    const bed = bedOf();
    await bed.evaluate(red);
    await bed.evaluate(blue, second);
    const endsAt = bed.wall;
    const [first, relabel] = bed.notifications;
    expect(relabel?.alert.formerLabels).toEqual([{ labels: first?.alert.labels, endsAt }]);
    await bed.evaluate(red, second);
    expect(bed.notifications.at(-1)?.alert.formerLabels).toEqual([
      { labels: relabel?.alert.labels, endsAt: endsAt + second },
    ]);
  });
});

describe('configured labels', () => {
  const now = { wall: 5000, mono: 5 };
  const evaluation = { cluster: 'prod', labels: {}, rules: new Map([['quick', settingsOf(quick)]]) };
  const incident = firingIncident('quick', m1);
  const labels = { ...incident.labels, alertname: 'GraphdbQuick' };

  it('end the former labels that an incident has because of its severity', () => {
    const former = [{ labels: { ...labels, severity: 'info', team: 'red' } }, { labels: { a: 'b' }, endsAt: 1 }];
    const updates = { revision: 1, raised: 1, urgent: 1, sent: { chat: 1 }, formerLabels: former };
    const old = { ...incident, labels: { ...labels, team: 'red' }, updates, notified: { chat: 1 } };
    const next = withConfiguredLabels(new Map([['k', old]]), evaluation, now).get('k');
    expect(next?.labels).toEqual(labels);
    expect(next?.updates).toEqual({
      ...updates,
      formerLabels: [{ ...former[0], endsAt: 5000 }, former[1], { labels: old.labels, endsAt: 5000 }],
    });
  });

  it('change nothing if they are the same, or belong to another cluster or to a disabled rule', () => {
    const others = [
      { ...incident, labels },
      firingIncident('quick', m1, { cluster: 'test' }),
      firingIncident('gone', m1, { labels: {} }),
    ];
    const incidents = new Map(others.map((one, at) => [String(at), one]));
    expect(withConfiguredLabels(incidents, evaluation, now)).toBe(incidents);
    expect(withConfiguredLabels(incidents, evaluation, now)).toBe(incidents);
  });
});
