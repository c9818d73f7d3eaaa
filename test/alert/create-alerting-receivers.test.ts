import { describe, expect, it } from 'vitest';
import { alertViews, unexpiredSilences } from '../../src/alert/alert-view.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, ruleOf, selfRuleOf } from './alerting-testbed.ts';

const slow = ruleOf('slow', { for: 60_000, keepFiringFor: 30_000 });
const quick = ruleOf('quick', { severity: 'critical' });
const m1 = { node: 'm1' };
const second = 1000;

/** Returns a self-evaluation input with a failing receiver. */
function troubled(receiver: string) {
  const view = { receiver, failing: true, result: 'broken', depth: 1, parked: 0 };
  return { kind: 'self', self: { receivers: [view], stateDurable: true, stateProblem: '' } } as const;
}

describe('receivers', () => {
  const receivers = [
    { name: 'oncall', heartbeat: false },
    { name: 'chat', heartbeat: true },
    { name: 'mail', heartbeat: false },
  ];
  const route = { ...catchAllRoute, groupBy: ['cluster_name'] };

  it('are those of the first matching route, and of the next one if it has `continue`', async () => {
    const routes = [
      {
        ...route,
        matchers: matchersOf('severity="critical"'),
        receivers: ['oncall'],
        continues: true,
        fallback: 'mail',
      },
      { ...route, receivers: ['chat', 'oncall'], groupWait: 30_000 },
      { ...route, receivers: ['mail'] },
    ];
    const bed = new AlertingTestbed({ rules: [quick, slow], receivers, settings: { routes } });
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > oncall, chat']);
    const [notice] = bed.notifications;
    expect(notice?.kind === 'trigger' && notice.to).toEqual([
      { receiver: 'oncall', group: { cluster_name: 'prod' }, groupWait: 0, groupInterval: 300_000, fallback: 'mail' },
      { receiver: 'chat', group: { cluster_name: 'prod' }, groupWait: 30_000, groupInterval: 300_000 },
    ]);
  });

  it('get reminders at the repeat interval of their route', async () => {
    const routes = [
      { ...route, receivers: ['oncall'], repeatInterval: 60_000, continues: true },
      { ...route, receivers: ['chat'], repeatInterval: 90_000, continues: true },
      { ...route, receivers: ['mail'] },
    ];
    const bed = new AlertingTestbed({ rules: [quick], receivers, settings: { routes } });
    const wrong = { rules: { quick: [m1] } };
    await bed.evaluate(wrong);
    expect(await bed.evaluate(wrong, 59 * second)).toEqual([]);
    expect(await bed.evaluate(wrong, second)).toEqual(['again quick m1 > oncall']);
    expect(await bed.evaluate(wrong, 30 * second)).toEqual(['again quick m1 > chat']);
    expect(await bed.evaluate(wrong, 90 * second)).toEqual(['again quick m1 > oncall, chat']);
    expect(new Set(bed.notifications.map(({ alert }) => alert.episode)).size).toBe(1);
  });

  it('are empty for an alert whose route has no receivers, until a route has one', async () => {
    const dropping = { routes: [{ ...route, receivers: [] }] };
    const bed = new AlertingTestbed({ rules: [quick], receivers, settings: dropping });
    const wrong = { rules: { quick: [m1] } };
    expect(await bed.evaluate(wrong)).toEqual([]);
    expect(alertViews(bed.state)).toMatchObject([{ rule: 'quick', unrouted: true }]);
    const later = new AlertingTestbed({ rules: [quick], receivers });
    later.state = bed.state;
    expect(await later.evaluate(wrong, second)).toEqual(['trigger quick m1 > oncall, chat, mail']);
    expect(alertViews(later.state)[0]?.unrouted).toBeUndefined();
  });

  it('are empty for an informational alert whose route has only pagers', async () => {
    const pager = { name: 'oncall', heartbeat: false, isPager: true } as const;
    const bed = new AlertingTestbed({ rules: [ruleOf('quick', { severity: 'info' })], receivers: [pager] });
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual([]);
    expect(alertViews(bed.state)).toMatchObject([{ severity: 'info', unrouted: true }]);
  });

  it('are not missing for an alert that is silenced, nor for one that a receiver was notified of', async () => {
    const bed = new AlertingTestbed({ rules: [quick], receivers });
    const wrong = { rules: { quick: [m1] } };
    await bed.evaluate(wrong);
    const dropping = new AlertingTestbed({
      rules: [quick],
      receivers,
      settings: { routes: [{ ...route, receivers: [] }] },
    });
    dropping.state = bed.state;
    await dropping.evaluate(wrong, second);
    expect(alertViews(dropping.state)[0]?.unrouted).toBeUndefined();
  });

  it('that are added later are notified of firing alerts', async () => {
    const bed = new AlertingTestbed({ rules: [quick], receivers });
    await bed.evaluate({ rules: { quick: [m1] } });
    const later = new AlertingTestbed({ rules: [quick], receivers: [...receivers, { name: 'new', heartbeat: false }] });
    later.state = bed.state;
    expect(await later.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > new']);
  });

  it('are notified of failures of other receivers, not of their own', async () => {
    const failing = selfRuleOf('delivery_failing');
    const routes = [{ ...route, receivers: ['chat', 'mail'], fallback: 'oncall' }];
    const bed = new AlertingTestbed({ rules: [failing], receivers, settings: { routes } });
    expect(await bed.step(troubled('chat'))).toEqual(['trigger delivery_failing chat > mail']);
    const alone = new AlertingTestbed({
      rules: [failing],
      receivers,
      settings: { routes: [{ ...route, receivers: ['chat'] }] },
    });
    expect(await alone.step(troubled('chat'))).toEqual(['trigger delivery_failing chat > oncall, mail']);
    const back = new AlertingTestbed({ rules: [failing], receivers, settings: { routes } });
    await back.step(troubled('oncall'));
    const [notice] = back.notifications;
    expect(notice?.kind === 'trigger' && notice.to.map(({ fallback }) => fallback)).toEqual([undefined, undefined]);
  });

  it('get the heartbeat once a minute if they enable it, despite silences', async () => {
    const watchdog = selfRuleOf('watchdog', { labels: [], evaluate: () => [{ labels: {}, facts: {} }] });
    const bed = new AlertingTestbed({ rules: [watchdog], receivers });
    const silence = { id: 's', matchers: [], startsAt: 0, endsAt: bed.wall + 1e9, author: 'me', reason: 'test' };
    await bed.step({ kind: 'silence', silence });
    const self = { kind: 'self', self: { receivers: [], stateDurable: true, stateProblem: '' } } as const;
    const reported = [];
    for (let minute = 0; minute < 180; minute += 1) reported.push(...(await bed.step(self, second)));
    expect(reported).toEqual(['trigger watchdog > chat', 'again watchdog > chat', 'again watchdog > chat']);
  });
});

describe('suppression of an alert', () => {
  const silence = { id: 's1', matchers: matchersOf('node="m1"'), author: 'me', reason: 'test' };

  it('by a silence ends with the silence: then its receivers are notified', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    const wrong = { rules: { quick: [m1, { node: 'm2' }] } };
    expect(await bed.evaluate(wrong)).toEqual(['trigger quick m2 > chat']);
    expect(alertViews(bed.state).map(({ silencedBy }) => silencedBy)).toEqual(['s1', undefined]);
    expect(await bed.evaluate(wrong, 59 * second)).toEqual([]);
    expect(await bed.evaluate(wrong, second)).toEqual(['trigger quick m1 > chat']);
  });

  it('ends when the silence is deleted or expires', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    await bed.evaluate({ rules: { quick: [m1] } });
    expect(unexpiredSilences(bed.state, bed.now).map(({ id }) => id)).toEqual(['s1']);
    await bed.step({ kind: 'unsilence', id: 's1' });
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
    expect(await bed.store.count({ table: 'silences' })).toEqual({ ok: true, value: 0 });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    const self = { kind: 'self', self: { receivers: [], stateDurable: true, stateProblem: '' } } as const;
    await bed.step(self, 60_000);
    expect(bed.state.silences.size).toBe(0);
    expect(await bed.store.count({ table: 'silences' })).toEqual({ ok: true, value: 0 });
  });

  it('never mutes the resolve of a notified incident', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.evaluate({ rules: { quick: [m1] } });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    expect(await bed.evaluate({ rules: {} }, second)).toEqual(['resolve quick m1']);
  });

  it('sends no resolve of an incident without notifications', async () => {
    const bed = new AlertingTestbed({ rules: [quick] });
    await bed.step({ kind: 'silence', silence: { ...silence, startsAt: bed.wall, endsAt: bed.wall + 60_000 } });
    await bed.evaluate({ rules: { quick: [m1] } });
    expect(await bed.evaluate({ rules: {} }, second)).toEqual([]);
  });

  it('by a maintenance window ends with the window', async () => {
    const window = {
      name: 'nightly',
      matchers: matchersOf('cluster_name="prod"'),
      days: [2],
      from: 0,
      to: 300,
      zone: 'UTC',
    };
    const bed = new AlertingTestbed({ rules: [quick], settings: { maintenance: [window] } });
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual([]);
    expect(alertViews(bed.state)[0]?.maintenance).toBe('nightly');
    expect(await bed.evaluate({ rules: { quick: [m1] } }, 400 * second)).toEqual(['trigger quick m1 > chat']);
  });

  it('by a configured inhibition ends with its source', async () => {
    const [source, other] = [ruleOf('source'), ruleOf('other')];
    const inhibitRules = [
      { sourceMatchers: matchersOf('node="m3"'), targetMatchers: matchersOf('node="m9"'), equal: [] },
      {
        sourceMatchers: matchersOf('alertname="GraphdbSource"'),
        targetMatchers: matchersOf('alertname=~"GraphdbQuick|GraphdbSource"'),
        equal: ['node'],
      },
    ];
    const bed = new AlertingTestbed({ rules: [quick, source, other], settings: { inhibitRules } });
    const wrong = { rules: { quick: [m1, { node: 'm2' }], source: [m1], other: [m1] } };
    expect(await bed.evaluate(wrong)).toEqual([
      'trigger quick m2 > chat',
      'trigger source m1 > chat',
      'trigger other m1 > chat',
    ]);
    const views = alertViews(bed.state);
    const [held] = views.filter(({ inhibitedBy }) => inhibitedBy !== undefined);
    expect([held?.rule, held?.inhibitedBy]).toEqual(['quick', views.find(({ rule }) => rule === 'source')?.key]);
    const after = await bed.evaluate({ rules: { quick: [m1, { node: 'm2' }], other: [m1] } });
    expect(after).toEqual(['resolve source m1', 'trigger quick m1 > chat']);
  });

  it('by a configured inhibition needs equal labels, in all clusters, and is not mutual', async () => {
    const both = { sourceMatchers: matchersOf('severity="warning"'), targetMatchers: matchersOf('severity="warning"') };
    const bed = new AlertingTestbed({ rules: [quick], settings: { inhibitRules: [{ ...both, equal: [] }] } });
    expect(await bed.evaluate({ rules: { quick: [m1, { node: 'm2' }] } })).toHaveLength(2);
    const across = { sourceMatchers: matchersOf('node="m1"'), targetMatchers: matchersOf('node="m2"'), equal: [] };
    const other = new AlertingTestbed({ rules: [quick], settings: { inhibitRules: [across] } });
    await other.evaluate({ rules: { quick: [m1] } });
    expect(await other.evaluate({ rules: { quick: [{ node: 'm2' }] }, cluster: 'test' })).toEqual([]);
    const equal = new AlertingTestbed({
      rules: [quick],
      settings: { inhibitRules: [{ ...across, equal: ['cluster_name'] }] },
    });
    await equal.evaluate({ rules: { quick: [m1] } });
    expect(await equal.evaluate({ rules: { quick: [{ node: 'm2' }] }, cluster: 'test' })).toHaveLength(1);
  });

  it('by an inhibiting alert ends with that alert', async () => {
    const unreachable = ruleOf('node_unreachable');
    const bed = new AlertingTestbed({ rules: [quick, unreachable] });
    const wrong = { rules: { quick: [m1, { node: 'm2' }], node_unreachable: [m1] } };
    expect(await bed.evaluate(wrong)).toEqual(['trigger quick m2 > chat', 'trigger node_unreachable m1 > chat']);
    const [held] = alertViews(bed.state).filter(({ inhibitedBy }) => inhibitedBy !== undefined);
    expect(held?.inhibitedBy).toBe(alertViews(bed.state).find(({ rule }) => rule === 'node_unreachable')?.key);
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['resolve node_unreachable m1', 'resolve quick m2']);
    expect(await bed.evaluate({ rules: { quick: [m1] } })).toEqual(['trigger quick m1 > chat']);
  });
});
