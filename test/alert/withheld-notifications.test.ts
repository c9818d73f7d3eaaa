import { describe, expect, it } from 'vitest';
import type { AlertingSettings } from '../../src/alert/alerting.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, type FiringRules, ruleOf } from './alerting-testbed.ts';

const second = 1000;
const minute = 60 * second;
const quick = ruleOf('quick');
const m1 = { node: 'm1' };
const firing = { rules: { quick: [m1] } };

function silenceOf(bed: AlertingTestbed, matcher = 'node="m1"', id = 's1') {
  const times = { startsAt: bed.wall, endsAt: bed.wall + minute };
  return {
    kind: 'silence',
    silence: { id, matchers: matchersOf(matcher), ...times, author: 'a', reason: 'b' },
  } as const;
}

function bedOf(settings: Partial<AlertingSettings> = {}, rules = [quick]): AlertingTestbed {
  const receivers = ['chat', 'oncall'].map((name) => ({ name, heartbeat: false }));
  return new AlertingTestbed({ rules, settings, receivers });
}

/** Returns the incident as it is stored. */
async function storedOf(bed: AlertingTestbed): Promise<unknown> {
  const rows = await bed.store.find({ table: 'episodes' });
  return rows.ok && JSON.parse(String(rows.value[0]?.roll_up)).isWithheld;
}

describe('a silence of a firing incident', () => {
  it('withholds its notifications at once, and sends them to all receivers when it expires', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    expect(await bed.step(silenceOf(bed))).toEqual(['suppress quick m1']);
    expect(await storedOf(bed)).toBe(true);
    expect(await bed.evaluate(firing, 59 * second)).toEqual([]);
    expect(await bed.evaluate(firing, second)).toEqual(['trigger quick m1 > chat, oncall']);
    expect(await storedOf(bed)).toBeUndefined();
    expect(await bed.evaluate(firing, second)).toEqual([]);
    expect(bed.notifications.map(({ alert }) => alert.episode)).toEqual(
      Array(3).fill(bed.notifications[0]?.alert.episode),
    );
  });

  it('that ends before the next evaluation sends them as well', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    await bed.step(silenceOf(bed));
    await bed.step({ kind: 'unsilence', id: 's1' });
    expect(await bed.evaluate(firing, second)).toEqual(['trigger quick m1 > chat, oncall']);
  });

  it('that another one follows withholds nothing twice', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    await bed.step(silenceOf(bed));
    expect(await bed.evaluate(firing, 30 * second)).toEqual([]);
    expect(await bed.step(silenceOf(bed, 'cluster_name="prod"', 's2'))).toEqual([]);
    expect(await bed.evaluate(firing, 31 * second)).toEqual([]);
    expect(await bed.evaluate(firing, 29 * second)).toEqual(['trigger quick m1 > chat, oncall']);
  });

  it('survives a restart', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    await bed.step(silenceOf(bed));
    await bed.restart(second);
    expect(await bed.step({ kind: 'restored' })).toEqual([]);
    expect(await bed.evaluate(firing)).toEqual([]);
    await bed.restart(minute);
    expect(await bed.step({ kind: 'restored' })).toEqual([]);
    expect(await bed.evaluate(firing)).toEqual(['trigger quick m1 > chat, oncall']);
  });

  it('ends with the incident, whose resolve goes to the notification queues', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    await bed.step(silenceOf(bed));
    expect(await bed.evaluate({ rules: {} }, second)).toEqual(['resolve quick m1']);
  });

  it('leaves incidents alone that it does not match, or that no receiver was notified of', async () => {
    const bed = bedOf({ routes: [] });
    await bed.evaluate(firing);
    expect(await bed.step(silenceOf(bed))).toEqual([]);
    const other = bedOf();
    await other.evaluate({ rules: { quick: [m1, { node: 'm2' }] } });
    expect(await other.step(silenceOf(other))).toEqual(['suppress quick m1']);
  });

  it('keeps the times of the reminders', async () => {
    const bed = bedOf({ routes: [{ ...catchAllRoute, receivers: ['chat'], repeatInterval: 2 * minute }] });
    await bed.evaluate(firing);
    await bed.step(silenceOf(bed));
    expect(await bed.evaluate(firing, minute)).toEqual(['trigger quick m1 > chat']);
    expect(await bed.evaluate(firing, minute)).toEqual(['again quick m1 > chat']);
  });

  it('sends nothing to receivers to which the routes no longer lead', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    await bed.step(silenceOf(bed));
    bed.settings = { routes: [{ ...catchAllRoute, receivers: ['oncall'] }] };
    expect(await bed.evaluate(firing, minute)).toEqual(['trigger quick m1 > oncall']);
    expect(await bed.evaluate({ rules: {} }, second)).toEqual(['resolve quick m1']);
  });
});

it('a receiver without a route at the end of a silence is notified when a route leads to it again', async () => {
  const bed = bedOf();
  await bed.evaluate(firing);
  await bed.step(silenceOf(bed));
  const route = { ...catchAllRoute, receivers: ['chat'] };
  bed.settings = { routes: [route] };
  await bed.step({ kind: 'unsilence', id: 's1' });
  expect(await bed.evaluate(firing, second)).toEqual(['trigger quick m1 > chat']);
  await bed.restart(second);
  expect(await bed.evaluate(firing, second)).toEqual([]);
  bed.settings = { routes: [{ ...route, receivers: ['chat', 'oncall'] }] };
  expect(await bed.evaluate(firing, second)).toEqual(['trigger quick m1 > oncall']);
  expect(await bed.evaluate(firing, second)).toEqual([]);
});

describe('notifications are withheld', () => {
  const window = { name: 'w', matchers: matchersOf('node="m1"'), days: [2], from: 0, to: 300, zone: 'UTC' };

  it('by a maintenance window that opens', async () => {
    const opening = { ...window, from: 294, to: 300 };
    const bed = bedOf({ maintenance: [opening] });
    expect(await bed.evaluate(firing)).toEqual(['trigger quick m1 > chat, oncall']);
    expect(await bed.evaluate(firing, minute)).toEqual(['suppress quick m1']);
    expect(await bed.evaluate(firing, 6 * minute)).toEqual(['trigger quick m1 > chat, oncall']);
  });

  it('by a maintenance window that a reload adds, before the next evaluation', async () => {
    const bed = bedOf();
    await bed.evaluate(firing);
    bed.settings = { maintenance: [window] };
    expect(await bed.step({ kind: 'restored' })).toEqual(['suppress quick m1']);
  });

  it('by a configured inhibition', async () => {
    const rule = { sourceMatchers: matchersOf('node="m2"'), targetMatchers: matchersOf('node="m1"'), equal: [] };
    const bed = bedOf({ inhibitRules: [rule] });
    await bed.evaluate(firing);
    const both = { rules: { quick: [m1, { node: 'm2' }] } };
    expect(await bed.evaluate(both)).toEqual(['suppress quick m1', 'trigger quick m2 > chat, oncall']);
    expect(await bed.evaluate(firing)).toEqual(['resolve quick m2', 'trigger quick m1 > chat, oncall']);
  });

  it('by an unreachable node until the alert outlasts it by its pending period', async () => {
    const slow = ruleOf('slow', { for: minute });
    const bed = bedOf({}, [slow, ruleOf('node_unreachable')]);
    await bed.evaluate({ rules: { slow: [m1] } });
    await bed.evaluate({ rules: { slow: [m1] } }, minute);
    const away = { rules: { slow: [m1], node_unreachable: [m1] } };
    expect(await bed.evaluate(away)).toEqual(['suppress slow m1', 'trigger node_unreachable m1 > chat, oncall']);
    expect(await bed.evaluate({ rules: { slow: [m1] } }, second)).toEqual(['resolve node_unreachable m1']);
    expect(await bed.evaluate({ rules: { slow: [m1] } }, second)).toEqual([]);
    expect(await bed.evaluate({ rules: { slow: [m1] } }, minute)).toEqual(['trigger slow m1 > chat, oncall']);
  });
});

describe('a silence of the cause of other alerts', () => {
  const rules = [
    ruleOf('node_unreachable', { severity: 'critical', keepFiringFor: 2 * second }),
    ruleOf('partition_without_online_replica', { severity: 'critical', labels: ['partition'] }),
    ruleOf('service_not_online', { labels: ['partition', 'replica'] }),
  ];
  const page = { partition_without_online_replica: [{ partition: '1' }] };
  const warning = { service_not_online: [{ partition: '2', replica: '1' }] };
  const cause = { node_unreachable: [m1] };

  async function withEffects(effects: FiringRules['rules']): Promise<AlertingTestbed> {
    const bed = bedOf({}, rules);
    await bed.evaluate({ rules: { ...cause, ...effects } });
    return bed;
  }

  it('withholds its incident if that includes no page', async () => {
    const bed = await withEffects(warning);
    expect(await bed.step(silenceOf(bed))).toEqual(['suppress node_unreachable m1']);
  });

  it('does not withhold the page about a critical effect, unless that is silenced as well', async () => {
    const bed = await withEffects(page);
    expect(await bed.step(silenceOf(bed))).toEqual([]);
    expect(await bed.evaluate({ rules: { ...cause, ...page } }, second)).toEqual([]);
    expect(await bed.step(silenceOf(bed, 'partition="1"', 's2'))).toEqual(['suppress node_unreachable m1']);
    await bed.step({ kind: 'unsilence', id: 's2' });
    const released = await bed.evaluate({ rules: { ...cause, ...page } }, second);
    expect(released).toEqual(['trigger node_unreachable m1 > chat, oncall']);
  });

  it('does not mute the page about a critical effect that began seconds before', async () => {
    const bed = bedOf({}, rules);
    await bed.evaluate({ rules: cause });
    const both = { rules: { ...cause, ...page } };
    expect(await bed.evaluate(both, minute)).toEqual([]);
    expect(await bed.step(silenceOf(bed), second)).toEqual([]);
    expect(await bed.evaluate(both, second)).toEqual([]);
    expect(await bed.evaluate(both, 4 * second)).toEqual(['update node_unreachable m1 > chat, oncall']);
    expect(bed.notifications.at(-1)?.alert.effects?.count).toBe(1);
    expect(await bed.evaluate({ rules: cause }, second)).toContain('suppress node_unreachable m1');
  });

  it('passes withheld notifications on to an effect that outlives it', async () => {
    const bed = await withEffects(warning);
    await bed.step(silenceOf(bed));
    await bed.evaluate({ rules: warning }, second);
    await bed.evaluate({ rules: warning }, 2 * second);
    const over = await bed.evaluate({ rules: warning }, second);
    expect(over).toEqual(['trigger service_not_online > chat, oncall', 'update service_not_online > chat, oncall']);
    expect(bed.notifications.at(-1)?.alert.key).toBe(bed.notifications[0]?.alert.key);
  });

  it('passes the withheld notifications of an effect on to its cause', async () => {
    const bed = bedOf({}, rules);
    await bed.evaluate({ rules: warning });
    expect(await bed.step(silenceOf(bed, 'replica="1"'))).toEqual(['suppress service_not_online']);
    const joined = await bed.evaluate({ rules: { ...cause, ...warning } }, second);
    expect(joined[0]).toBe('trigger node_unreachable m1 > chat, oncall');
    expect(bed.notifications.at(-1)?.alert.key).toBe(bed.notifications[0]?.alert.key);
  });
});

describe('an effect that was notified before the incident of its cause includes it', () => {
  const cause = ruleOf('cluster_down', { severity: 'critical', labels: [] });
  const effect = ruleOf('partition_unavailable', { severity: 'critical', labels: ['service_name', 'partition'] });
  const gpe = { service_name: 'GPE', partition: '1' };
  const both = { rules: { cluster_down: [{}], partition_unavailable: [gpe] } };

  /** Returns a test bed in which the effect fires while a silence mutes its cause, which was notified before. */
  async function silencedCause(): Promise<AlertingTestbed> {
    const bed = bedOf({}, [cause, effect]);
    await bed.evaluate({ rules: { cluster_down: [{}] } });
    await bed.step(silenceOf(bed, 'alertname="GraphdbClusterDown"'));
    expect(await bed.evaluate(both, second)).toEqual(['trigger partition_unavailable > chat, oncall']);
    return bed;
  }

  it('is withheld after its receivers are notified of that incident', async () => {
    const bed = await silencedCause();
    const after = [...(await bed.evaluate(both, minute)), ...(await bed.evaluate(both, second))];
    expect(after.filter((one) => !one.startsWith('update'))).toEqual([
      'trigger cluster_down > chat, oncall',
      'suppress partition_unavailable',
    ]);
  });

  it('is sent again when its cause ends', async () => {
    const bed = await silencedCause();
    await bed.evaluate(both, minute);
    await bed.evaluate(both, second);
    const alone = { rules: { partition_unavailable: [gpe] } };
    const after = [...(await bed.evaluate(alone, second)), ...(await bed.evaluate(alone, second))];
    expect(after).toContain('trigger partition_unavailable > chat, oncall');
  });

  it('is not withheld while the cause is muted', async () => {
    const bed = await silencedCause();
    expect(await bed.evaluate(both, 30 * second)).toEqual([]);
  });
});
