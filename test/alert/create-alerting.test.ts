import { describe, expect, it } from 'vitest';
import { alertViews } from '../../src/alert/alert-view.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, ruleOf, settingsOf, situationOf } from './alerting-testbed.ts';

const slow = ruleOf('slow', { for: 60_000, keepFiringFor: 30_000 });
const quick = ruleOf('quick', { severity: 'critical' });
const m1 = { node: 'm1' };
const second = 1000;

describe('an alert', () => {
  it('is pending for its `for` duration, fires once, keeps firing for `keep_firing_for`, and resolves once', async () => {
    const bed = new AlertingTestbed({ rules: [slow] });
    const wrong = { rules: { slow: [m1] } };
    const well = { rules: {} };
    expect(await bed.evaluate(wrong)).toEqual([]);
    expect(alertViews(bed.state).map(({ phase, episode }) => [phase, episode])).toEqual([['pending', 0]]);
    expect(await bed.evaluate(wrong, 59 * second)).toEqual([]);
    expect(await bed.evaluate(wrong, second)).toEqual(['trigger slow m1 > chat']);
    expect(await bed.evaluate(wrong, second)).toEqual([]);
    expect(await bed.evaluate(well, 29 * second)).toEqual([]);
    expect(alertViews(bed.state).map(({ phase }) => phase)).toEqual(['firing']);
    expect(await bed.evaluate(well, second)).toEqual(['resolve slow m1']);
    expect(await bed.evaluate(well, second)).toEqual([]);
    expect(alertViews(bed.state).map(({ phase }) => phase)).toEqual(['resolved']);
  });

  it('that is absent for less than keep_firing_for continues the same incident', async () => {
    const bed = new AlertingTestbed({ rules: [slow] });
    await bed.evaluate({ rules: { slow: [m1] } });
    await bed.evaluate({ rules: { slow: [m1] } }, 60 * second);
    await bed.evaluate({ rules: {} }, 20 * second);
    expect(await bed.evaluate({ rules: { slow: [m1] } }, 5 * second)).toEqual([]);
    expect(await bed.evaluate({ rules: {} }, 29 * second)).toEqual([]);
    expect(bed.notifications).toHaveLength(1);
  });

  it('that ends while pending sends no notification', async () => {
    const bed = new AlertingTestbed({ rules: [slow] });
    await bed.evaluate({ rules: { slow: [m1] } });
    expect(await bed.evaluate({ rules: {} }, 59 * second)).toEqual([]);
    expect(alertViews(bed.state)).toEqual([]);
    await bed.evaluate({ rules: { slow: [m1] } }, second);
    expect(await bed.evaluate({ rules: { slow: [m1] } }, 59 * second)).toEqual([]);
  });

  it('states the problem, its subject and its start, with links', async () => {
    const bed = new AlertingTestbed({ rules: [quick], externalUrl: 'https://warden.example.org/gw/' });
    await bed.evaluate({ rules: { quick: [m1] }, value: 7 });
    const [notice] = bed.notifications;
    expect(notice).toMatchObject({ kind: 'trigger', isReminder: false, due: bed.wall });
    expect(notice?.alert).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      episode: bed.wall,
      rule: 'quick',
      severity: 'critical',
      labels: { alertname: 'GraphdbQuick', severity: 'critical', cluster_name: 'prod', env: 'test', node: 'm1' },
      annotations: {
        summary: 'quick on m1 of prod',
        description: 'It is at 7.',
        runbook_url: expect.stringMatching(/\/docs\/runbook\.md#quick$/),
        title: 'quick on m1 of prod',
        episode: String(bed.wall),
        started: '2026-09-22T04:53:20.000Z',
      },
      status: 'firing',
      startsAt: bed.wall,
      generatorUrl: expect.stringMatching(/^https:\/\/warden\.example\.org\/gw\/incidents\/[0-9a-f]{12}-\d+$/),
    });
    await bed.evaluate({ rules: {} }, 5 * second);
    expect(bed.notifications[1]?.alert).toMatchObject({
      status: 'resolved',
      endsAt: bed.wall,
      episode: notice?.alert.episode,
    });
  });

  it('has a new incident number each time, and the same key', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    for (let round = 0; round < 3; round += 1) {
      await bed.evaluate({ rules: { quick: [m1] } });
      await bed.evaluate({ rules: {} });
    }
    const triggers = bed.notifications.filter(({ kind }) => kind === 'trigger').map(({ alert }) => alert);
    expect(new Set(triggers.map(({ episode }) => episode)).size).toBe(3);
    expect(new Set(triggers.map(({ key }) => key)).size).toBe(1);
  });

  it('differs by node, cluster and severity', async () => {
    const grave = ruleOf('grave', {
      evaluate: (situation) =>
        situation
          .samples('rule_grave')
          .map(({ labels, value }) => ({ labels, facts: {}, severity: value > 5 ? 'critical' : 'warning' })),
    });
    const bed = new AlertingTestbed({ rules: [grave] });
    expect(await bed.evaluate({ rules: { grave: [m1, { node: 'm2' }] } })).toHaveLength(2);
    expect(await bed.evaluate({ rules: { grave: [m1] }, cluster: 'test' })).toEqual(['trigger grave m1 > chat']);
    expect(await bed.evaluate({ rules: { grave: [m1, { node: 'm2' }] }, value: 9 })).toEqual([
      'resolve grave m1',
      'resolve grave m2',
      'trigger grave m1 > chat',
      'trigger grave m2 > chat',
    ]);
    expect(new Set(bed.notifications.map(({ alert }) => alert.key)).size).toBe(5);
  });

  it('begins at the start time in its facts', async () => {
    const known = ruleOf('known', {
      for: 60_000,
      evaluate: (_, __, now) => [{ labels: m1, facts: {}, since: now.wall - 100_000 }],
    });
    const bed = new AlertingTestbed({ rules: [known] });
    expect(await bed.evaluate({ rules: {} })).toEqual(['trigger known m1 > chat']);
    expect(bed.notifications[0]?.alert.startsAt).toBe(bed.wall - 100_000);
  });

  it('uses the configured severity and durations instead of those of its rule', async () => {
    const patient = ruleOf('patient', { evaluate: () => [{ labels: m1, facts: {}, for: 10_000 }] });
    const bed = new AlertingTestbed({ rules: [patient] });
    expect(await bed.evaluate({ rules: {} })).toEqual([]);
    expect(await bed.evaluate({ rules: {} }, 10 * second)).toHaveLength(1);
    const strict = new AlertingTestbed({
      rules: [patient],
      settings: { rules: { patient: settingsOf(patient, { for: 20_000 }) } },
    });
    await strict.evaluate({ rules: {} });
    expect(await strict.evaluate({ rules: {} }, 19 * second)).toEqual([]);
    expect(await strict.evaluate({ rules: {} }, second)).toHaveLength(1);
  });

  it('does not fire early if the wall clock is set forward', async () => {
    const bed = new AlertingTestbed({ rules: [slow] });
    await bed.evaluate({ rules: { slow: [m1] } });
    bed.stepClock(3_600_000);
    expect(await bed.evaluate({ rules: { slow: [m1] } })).toEqual([]);
  });

  it('does not fire late if the wall clock is set back', async () => {
    const since = ruleOf('since', {
      for: 60 * second,
      evaluate: (situation) =>
        situation.samples('rule_since').map(({ labels }) => ({ labels, facts: {}, since: began })),
    });
    const routes = [{ ...catchAllRoute, receivers: ['chat'], repeatInterval: 3_600_000 }];
    const bed = new AlertingTestbed({ rules: [since], settings: { routes } });
    const began = bed.wall - 20 * second;
    await bed.evaluate({ rules: { since: [m1] } });
    bed.stepClock(-1_800_000);
    expect(await bed.evaluate({ rules: { since: [m1] } }, 38 * second)).toEqual([]);
    expect(await bed.evaluate({ rules: { since: [m1] } }, 2 * second)).toEqual(['trigger since m1 > chat']);
    bed.stepClock(-1_800_000);
    expect(await bed.evaluate({ rules: { since: [m1] } }, second)).toEqual(['again since m1 > chat']);
    expect(await bed.evaluate({ rules: { since: [m1] } }, second)).toEqual([]);
  });
});

describe('an alert with stale facts', () => {
  it('neither begins to fire nor resolves', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    expect(await bed.evaluate({ rules: { quick: [m1] }, stale: ['m1'] })).toEqual([]);
    expect(await bed.evaluate({ rules: { quick: [m1] }, stale: ['m2'] })).toEqual(['trigger quick m1 > chat']);
    expect(await bed.evaluate({ rules: {}, stale: ['m1'] }, 3_600_000)).toEqual([]);
    expect(await bed.evaluate({ rules: {} })).toEqual(['resolve quick m1']);
  });

  it('does not resolve before any collector is declared', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.evaluate({ rules: { quick: [m1] } });
    const blank = { ...situationOf({ rules: {} }), collectors: [], nodes: [] };
    expect(await bed.step({ kind: 'situation', situation: blank }, 3_600_000)).toEqual([]);
  });

  it('keeps firing for `keep_firing_for` after its facts are fresh again', async () => {
    const bed = new AlertingTestbed({ rules: [slow] });
    await bed.evaluate({ rules: { slow: [m1] } });
    await bed.evaluate({ rules: { slow: [m1] } }, 60 * second);
    await bed.evaluate({ rules: {}, stale: ['m1'] }, 600 * second);
    expect(await bed.evaluate({ rules: {} }, 29 * second)).toEqual([]);
    expect(await bed.evaluate({ rules: {} }, second)).toEqual(['resolve slow m1']);
  });

  it('resolves if its node left the configuration', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.evaluate({ rules: { quick: [{ node: 'm9' }] } });
    expect(await bed.evaluate({ rules: {} })).toEqual(['resolve quick m9']);
  });
});

describe('a restart', () => {
  it('sends no second trigger, and resolves no alert before its evaluation, in 100 restarts', async () => {
    const bed = new AlertingTestbed({ rules: [quick, slow] });
    const wrong = { rules: { quick: [m1, { node: 'm2' }] } };
    await bed.evaluate(wrong);
    for (let round = 0; round < 100; round += 1) {
      await bed.restart(second);
      const blank = { ...situationOf({ rules: {} }), collectors: [] };
      expect(await bed.step({ kind: 'clusters', names: ['prod'] })).toEqual([]);
      expect(await bed.step({ kind: 'situation', situation: blank }, second)).toEqual([]);
      expect(await bed.evaluate({ rules: {}, stale: ['m1', 'm2'] }, second)).toEqual([]);
      expect(await bed.evaluate(wrong, second)).toEqual([]);
    }
    expect(await bed.evaluate({ rules: { quick: [{ node: 'm2' }] } })).toEqual(['resolve quick m1']);
    await bed.restart();
    expect(await bed.evaluate({ rules: {} })).toEqual(['resolve quick m2']);
    expect(bed.notifications).toHaveLength(4);
    expect(await bed.store.count({ table: 'episodes' })).toEqual({ ok: true, value: 0 });
  });

  it('keeps silences and notification times', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    const silence = { id: 's1', matchers: matchersOf('node="m1"'), author: 'me', reason: 'test' };
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    await bed.evaluate({ rules: { quick: [m1] } });
    await bed.restart();
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual([]);
    expect(await bed.evaluate({ rules: { quick: [m1] } }, 60 * second)).toEqual(['trigger quick m1 > chat']);
    await bed.restart();
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual([]);
  });

  it('assigns each incident number once', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.evaluate({ rules: { quick: [m1] } });
    await bed.restart();
    await bed.evaluate({ rules: { quick: [m1, { node: 'm2' }] } });
    expect(new Set(bed.notifications.map(({ alert }) => alert.episode)).size).toBe(2);
  });

  it('does not reuse the number of a resolved incident, even if numbers are ahead of the clock', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    const both = { rules: { quick: [{ node: 'm2' }, m1] } };
    await bed.evaluate(both);
    await bed.evaluate({ rules: {} });
    await bed.restart(second);
    await bed.evaluate({ rules: { quick: [m1] } });
    const numbers = bed.notifications.filter(({ kind }) => kind === 'trigger').map(({ alert }) => alert.episode);
    expect([numbers.length, new Set(numbers).size]).toEqual([3, 3]);
  });

  it('notifies a receiver again after it was removed and added', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    const before = bed.receivers;
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
    bed.receivers = [{ name: 'mail', heartbeat: false }];
    await bed.step({ kind: 'clusters', names: ['prod'] });
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > mail']);
    bed.receivers = before;
    await bed.step({ kind: 'clusters', names: ['prod'] });
    await bed.restart();
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
    await bed.step({ kind: 'clusters', names: ['prod'] });
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual([]);
  });

  it('resolves incidents that left the configuration', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.evaluate({ rules: { quick: [m1] } });
    await bed.evaluate({ rules: { quick: [m1] }, cluster: 'old' });
    await bed.restart();
    expect(await bed.step({ kind: 'clusters', names: ['prod'] })).toEqual(['resolve quick m1']);
    expect(bed.notifications.at(-1)?.alert.labels.cluster_name).toBe('old');
    const off = new AlertingTestbed({
      rules: [quick],
      settings: { rules: { quick: settingsOf(quick, { enabled: false }) } },
    });
    off.state = bed.state;
    expect(await off.step({ kind: 'clusters', names: ['prod'] })).toEqual(['resolve quick m1']);
  });
});
