import { describe, expect, it } from 'vitest';
import type { AlertingSettings } from '../../src/alert/alerting.ts';
import { includingIncident } from '../../src/alert/incident-lookup.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, type FiringRules, ruleOf, settingsOf } from './alerting-testbed.ts';

const replica = ['service_name', 'partition', 'replica'];
const second = 1000;
const held = { for: 30 * second, keepFiringFor: 60 * second };
const rules = [
  ruleOf('cluster_down', { severity: 'critical', labels: [], ...held }),
  ruleOf('node_unreachable', { severity: 'critical', ...held }),
  ruleOf('partition_without_online_replica', { severity: 'critical', labels: replica.slice(0, 2), ...held }),
  ruleOf('service_not_online', { labels: replica, for: 60 * second, keepFiringFor: 60 * second }),
  ruleOf('disk_filling', { severity: 'warning', ...held }),
];

const m1 = [{ node: 'm1' }];
const gpe1 = { service_name: 'GPE', partition: '1' };
const gpe2 = { service_name: 'GPE', partition: '2' };
const instance = { ...gpe1, replica: '1' };

function bedOf(settings: Partial<AlertingSettings> = {}): AlertingTestbed {
  const receivers = ['chat', 'oncall'].map((name) => ({ name, heartbeat: false }));
  return new AlertingTestbed({ rules, settings, receivers });
}

/** Evaluates the same once a second, and returns all notices. */
async function last(bed: AlertingTestbed, seconds: number, wrong: FiringRules['rules']): Promise<readonly string[]> {
  const notices: string[] = [];
  for (let at = 0; at < seconds; at += 1) notices.push(...(await bed.evaluate({ rules: wrong }, second)));
  return notices;
}

/** Key of an incident at receivers. */
function idOf(bed: AlertingTestbed, at: number) {
  const notice = bed.notifications.at(at);
  return [notice?.alert.key, notice?.alert.episode];
}

describe('a lost node', () => {
  const lost = { node_unreachable: m1, partition_without_online_replica: [gpe1], service_not_online: [instance] };

  it('is one incident, with its effects', async () => {
    const bed = bedOf();
    const notices = await last(bed, 400, lost);
    expect(notices).toEqual([
      'trigger node_unreachable m1 > chat, oncall',
      'update node_unreachable m1 > chat, oncall',
    ]);
    const [first, update] = bed.notifications;
    const rule = 'partition_without_online_replica';
    expect(first?.alert.effects).toMatchObject({ count: 1, listed: [{ rule, severity: 'critical' }] });
    expect(update?.alert).toMatchObject({ revision: 1, severity: 'critical', effects: { count: 2 } });
    expect(idOf(bed, 1)).toEqual(idOf(bed, 0));
    // All of it ends at about the same time.
    await last(bed, 10, { service_not_online: [instance] });
    expect(await last(bed, 120, {})).toEqual(['relabel service_not_online', 'resolve service_not_online']);
    expect(idOf(bed, -1)).toEqual(idOf(bed, 0));
    expect(bed.notifications.at(-1)?.alert.annotations.summary).toBe(first?.alert.annotations.summary);
    expect(bed.state.incidents.size).toBe(0);
  });

  it('is one incident if its effect is confirmed before it', async () => {
    const bed = bedOf();
    const early = await last(bed, 2, { partition_without_online_replica: [gpe1] });
    const notices = [...early, ...(await last(bed, 120, lost))];
    expect(notices.slice(0, 1)).toEqual(['trigger node_unreachable m1 > chat, oncall']);
    expect(notices.slice(1).every((notice) => notice.startsWith('update node_unreachable'))).toBe(true);
  });

  it('continues the incident of an effect that was notified before it', async () => {
    const bed = bedOf();
    const partition = { partition_without_online_replica: [gpe1] };
    const early = await last(bed, 50, partition);
    expect(early).toEqual(['trigger partition_without_online_replica > chat, oncall']);
    // The node starts to fail within the five minutes in which the partition counts as its effect.
    const startsAt = bed.wall - 55 * second;
    const failing = ruleOf('node_unreachable', {
      severity: 'critical',
      ...held,
      evaluate: () => [{ labels: { node: 'm1' }, facts: {}, since: startsAt }],
    });
    const late = new AlertingTestbed({ rules: rules.map((rule) => (rule.name === failing.name ? failing : rule)) });
    late.state = bed.state;
    late.wall = bed.wall;
    const notices = await last(late, 20, partition);
    expect(notices).toEqual(['update node_unreachable m1 > chat, oncall']);
    expect(idOf(late, 0)).toEqual(idOf(bed, 0));
    const [update] = late.notifications;
    expect(update?.alert.effects?.count).toBe(1);
    expect(update?.alert.formerLabels).toMatchObject([{ labels: { alertname: expect.stringContaining('Partition') } }]);
  });

  it('whose effects outlive it passes its incident on to them', async () => {
    const bed = bedOf();
    await last(bed, 60, { ...lost, partition_without_online_replica: [gpe1, gpe2] });
    const id = idOf(bed, 0);
    const [first] = bed.notifications;
    bed.notifications.length = 0;
    const after = await last(bed, 400, { partition_without_online_replica: [gpe1, gpe2] });
    expect(after.filter((notice) => !notice.startsWith('update'))).toEqual([]);
    expect(after.at(-1)).toBe('update partition_without_online_replica > chat, oncall');
    expect(idOf(bed, -1)).toEqual(id);
    expect(bed.notifications.at(-1)?.alert).toMatchObject({
      formerCause: { rule: 'node_unreachable' },
      effects: { count: 1 },
      formerLabels: [{ labels: { node: 'm1' }, endsAt: expect.any(Number) }],
    });
    await bed.restart(second);
    const ends = await last(bed, 120, {});
    expect(ends).toEqual(['resolve partition_without_online_replica']);
    expect(idOf(bed, -1)).toEqual(id);
    const { title, started } = first?.alert.annotations ?? {};
    expect(bed.notifications.at(-1)?.alert).toMatchObject({
      startsAt: first?.alert.startsAt,
      annotations: { summary: title, title, started },
    });
  });

  it('keeps its incident and its effects through restarts', async () => {
    const bed = bedOf();
    await last(bed, 70, lost);
    await bed.restart(second);
    expect(await last(bed, 60, lost)).toEqual([]);
    const news = await last(bed, 60, { ...lost, partition_without_online_replica: [gpe1, gpe2] });
    expect(news).toEqual(['update node_unreachable m1 > chat, oncall']);
  });

  it('does not inhibit a critical effect while it is silenced', async () => {
    const bed = bedOf();
    const silence = { id: 's', startsAt: bed.wall, endsAt: bed.wall + 3_600_000, author: 'ada', reason: 'disks' };
    await bed.step({ kind: 'silence', silence: { ...silence, matchers: matchersOf('node="m1"') } });
    expect(await last(bed, 120, lost)).toEqual(['trigger partition_without_online_replica > chat, oncall']);
  });

  it('notifies the receivers of its critical effects as well', async () => {
    const routes = [
      { ...catchAllRoute, matchers: matchersOf('alertname=~".*PartitionWithoutOnlineReplica"'), receivers: ['oncall'] },
      { ...catchAllRoute, receivers: ['chat'] },
    ];
    const bed = bedOf({ routes });
    expect(await last(bed, 55, lost)).toEqual(['trigger node_unreachable m1 > chat, oncall']);
  });

  it('is notified with the severity of its most severe effect', async () => {
    const [, node] = rules;
    if (node === undefined) throw new Error('there is no rule');
    const bed = bedOf({ rules: { node_unreachable: settingsOf(node, { severity: 'warning' }) } });
    const late = ['trigger node_unreachable m1 > chat, oncall', 'update node_unreachable m1 > chat, oncall'];
    const first = await last(bed, 35, { node_unreachable: m1 });
    expect([...first, ...(await last(bed, 35, { ...lost, service_not_online: [] }))]).toEqual(late);
    const severities = bed.notifications.map(({ alert }) => [alert.severity, alert.labels.severity]);
    expect(severities).toEqual([
      ['warning', 'warning'],
      ['critical', 'critical'],
    ]);
    expect(idOf(bed, 1)).toEqual(idOf(bed, 0));
  });

  it('inhibits alerts about the node without including them in its incident', async () => {
    const bed = bedOf();
    const wrong = { node_unreachable: m1, disk_filling: m1 };
    await last(bed, 60, wrong);
    expect(bed.notifications.map(({ alert }) => alert.effects)).toEqual([undefined]);
    expect(await last(bed, 180, { disk_filling: m1 })).toEqual([
      'resolve node_unreachable m1',
      'trigger disk_filling m1 > chat, oncall',
    ]);
  });
});

describe('a cluster that is down', () => {
  const nodes = Array.from({ length: 3 }, (_, at) => ({ node: `m${at + 1}` }));
  const partitions = Array.from({ length: 10 }, (_, at) => ({ service_name: 'GPE', partition: `${at + 1}` }));
  const stopped = { cluster_down: [{}], node_unreachable: nodes, partition_without_online_replica: partitions };

  it('is one incident even if its parts stop one after the other', async () => {
    const bed = bedOf();
    const notices = [
      ...(await last(bed, 3, { partition_without_online_replica: partitions.slice(0, 5) })),
      ...(await last(bed, 2, { partition_without_online_replica: partitions })),
      ...(await last(bed, 2, { partition_without_online_replica: partitions, node_unreachable: nodes.slice(0, 2) })),
      ...(await last(bed, 120, stopped)),
    ];
    expect(notices).toEqual(['trigger cluster_down > chat, oncall']);
    expect(bed.notifications[0]?.alert.effects).toMatchObject({ count: 13, listed: { length: 13 } });
    expect(await last(bed, 200, {})).toEqual(['resolve cluster_down']);
  });

  it('delays the page of an effect by at most 15 seconds', async () => {
    const never = rules.map((rule) => (rule.name === 'cluster_down' ? { ...rule, knows: () => false } : rule));
    const bed = new AlertingTestbed({ rules: never });
    expect(await last(bed, 15, { node_unreachable: m1 })).toEqual([]);
    expect(await last(bed, 30, { node_unreachable: m1, cluster_down: [{}] })).toEqual([]);
    expect([...bed.state.incidents.values()]).toMatchObject([{ suppression: { kind: 'awaited_cause' } }, {}]);
    expect(await last(bed, 1, { node_unreachable: m1, cluster_down: [{}] })).toEqual([
      'trigger node_unreachable m1 > chat',
    ]);
  });

  it('does not delay the page of an effect if it will not fire soon', async () => {
    const bed = bedOf();
    await last(bed, 29, { node_unreachable: m1 });
    const notices = await last(bed, 3, { node_unreachable: m1, cluster_down: [{}] });
    expect(notices).toEqual(['trigger node_unreachable m1 > chat, oncall']);
  });
});

function severalLevels(situation: Parameters<ReturnType<typeof ruleOf>['evaluate']>[0]) {
  return situation.samples('rule_memory').map(({ labels: { severity, ...labels } }) => ({
    labels,
    facts: {},
    severity: severity === 'critical' ? ('critical' as const) : ('warning' as const),
  }));
}

describe('another severity', () => {
  const levels = [ruleOf('memory', { keepFiringFor: 60 * second, for: 20 * second, evaluate: severalLevels })];

  const warning = { memory: [{ node: 'm1', severity: 'warning' }] };
  const critical = { memory: [{ node: 'm1', severity: 'critical' }] };

  it('of an alert is an update of one incident, in both directions', async () => {
    const bed = new AlertingTestbed({ rules: levels });
    const notices = [
      ...(await last(bed, 30, warning)),
      ...(await last(bed, 100, critical)),
      ...(await last(bed, 400, warning)),
      ...(await last(bed, 30, critical)),
    ];
    expect(notices).toEqual([
      'trigger memory m1 > chat',
      'update memory m1 > chat',
      'update memory m1 > chat',
      'update memory m1 > chat',
    ]);
    const severities = bed.notifications.map(({ alert }) => alert.severity);
    expect(severities).toEqual(['warning', 'critical', 'warning', 'critical']);
    expect(new Set(bed.notifications.map(({ alert }) => `${alert.key} ${alert.episode}`)).size).toBe(1);
    expect(bed.notifications.every(({ alert }) => alert.effects === undefined)).toBe(true);
    expect(await last(bed, 120, {})).toEqual(['resolve memory m1']);
  });

  it('keeps the former labels firing while it is higher, and ends them when it is lower', async () => {
    const bed = new AlertingTestbed({ rules: levels });
    await last(bed, 30, warning);
    await last(bed, 200, critical);
    expect(bed.notifications.at(-1)?.alert.formerLabels).toEqual([
      { labels: expect.objectContaining({ severity: 'warning' }) },
    ]);
    await last(bed, 400, warning);
    expect(bed.notifications.at(-1)?.alert.formerLabels).toEqual([
      { labels: expect.objectContaining({ severity: 'critical' }), endsAt: expect.any(Number) },
    ]);
  });
});

describe('the lookup of an incident', () => {
  const both = [instance, { ...instance, replica: '2' }];

  it.each([true, false])(
    'finds the same one for all its alerts after its cause ended; receivers: %s',
    async (hasReceivers) => {
      const bed = hasReceivers ? bedOf() : new AlertingTestbed({ rules });
      await last(bed, 200, { node_unreachable: m1, service_not_online: both });
      const { key, number } = [...bed.state.incidents.values()].find(({ lead }) => lead === undefined) ?? expect.fail();
      await last(bed, 61, { service_not_online: both });
      await last(bed, 100, {});
      const found = bed.state.resolved.map(({ incident: one }) => {
        const root = includingIncident(bed.state, { key: one.key, episode: one.number });
        return [one.rule, root?.key, root?.number];
      });
      expect(found).toEqual([
        ['node_unreachable', key, number],
        ['service_not_online', key, number],
        ['service_not_online', key, number],
      ]);
      expect(new Set(bed.state.resolved.map(({ incident }) => incident.key)).size).toBe(3);
    },
  );
});
