import { describe, expect, it } from 'vitest';
import { matchersOf } from '../support/matchers-of.ts';
import { AlertingTestbed, catchAllRoute, type FiringRules, ruleOf } from './alerting-testbed.ts';

const second = 1000;
const instanceLabels = ['service_name', 'partition', 'replica'];
const held = { for: 10 * second, keepFiringFor: 20 * second };
const rules = [
  ruleOf('cluster_down', { severity: 'critical', labels: [], ...held }),
  ruleOf('node_unreachable', { severity: 'critical', ...held }),
  ruleOf('partition_without_online_replica', { severity: 'critical', labels: instanceLabels.slice(0, 2), ...held }),
  ruleOf('service_flapping', { labels: instanceLabels, for: 0, keepFiringFor: 10 * second }),
  ruleOf('service_not_online', { labels: instanceLabels, ...held }),
];
const gpe1 = { service_name: 'GPE', partition: '1' };
const gpe2 = { service_name: 'GPE', partition: '2' };
const partition = { partition_without_online_replica: [gpe1] };
const instance = { service_not_online: [{ ...gpe1, replica: '1' }] };
const nodes = { node_unreachable: [{ node: 'm1' }, { node: 'm2' }] };

/** Evaluates the same once a second, and returns all notices. */
async function last(bed: AlertingTestbed, seconds: number, wrong: FiringRules['rules']): Promise<readonly string[]> {
  const notices: string[] = [];
  for (let at = 0; at < seconds; at += 1) notices.push(...(await bed.evaluate({ rules: wrong }, second)));
  return notices;
}

describe('an effect of two causes', () => {
  it('moves to the incident of the second one when the first one ends, whose incident is resolved', async () => {
    const bed = new AlertingTestbed({ rules });
    await last(bed, 60, { ...nodes, ...partition, ...instance });
    const leads = new Set([...bed.state.incidents.values()].map(({ lead }) => lead));
    expect(leads.size).toBe(2);
    const [first = '', other = ''] = [...leads].some((lead) => lead?.includes('m1')) ? ['m1', 'm2'] : ['m2', 'm1'];
    const notices = await last(bed, 60, { node_unreachable: [{ node: other }], ...partition, ...instance });
    expect(notices).toEqual([`resolve node_unreachable ${first}`, `update node_unreachable ${other} > chat`]);
    expect(bed.notifications.at(-1)?.alert.effects?.count).toBe(2);
  });

  it('does not continue the incident of the first one if the second one has an incident of its own', async () => {
    const bed = new AlertingTestbed({ rules });
    const down = { cluster_down: [{}] };
    await last(bed, 30, down);
    const times = { startsAt: bed.wall, endsAt: bed.wall + 60 * second };
    const matchers = matchersOf('alertname="GraphdbClusterDown"');
    await bed.step({ kind: 'silence', silence: { id: 's', matchers, ...times, author: 'a', reason: 'b' } });
    expect(await last(bed, 30, { ...down, ...partition })).toContain('trigger partition_without_online_replica > chat');
    await last(bed, 120, { ...down, ...partition, ...instance });
    const notices = await last(bed, 60, { ...partition, ...instance });
    expect(notices.filter((one) => !one.startsWith('update'))).toEqual([
      'resolve cluster_down',
      'trigger partition_without_online_replica > chat',
    ]);
  });
});

describe('an incident that continues with an effect', () => {
  it('is not inhibited by an alert that it includes', async () => {
    const bed = new AlertingTestbed({ rules });
    const flapping = { service_flapping: [{ ...gpe1, replica: '1' }] };
    await last(bed, 30, { cluster_down: [{}], ...instance });
    await last(bed, 30, { cluster_down: [{}], ...instance, ...flapping });
    bed.notifications.length = 0;
    await last(bed, 400, { ...instance, ...flapping });
    expect(bed.notifications.at(-1)).toMatchObject({
      kind: 'trigger',
      isUpdate: true,
      alert: { rule: 'service_not_online', formerCause: { rule: 'cluster_down' } },
    });
  });

  it('is reported with its effects after a restart before the update was due', async () => {
    const bed = new AlertingTestbed({ rules });
    await last(bed, 60, { node_unreachable: [{ node: 'm1' }] });
    const both = { node_unreachable: [{ node: 'm1' }], ...partition };
    expect(await last(bed, 12, both)).toEqual([]);
    expect([...bed.state.incidents.values()].map(({ phase }) => phase)).toEqual(['firing', 'firing']);
    await bed.restart(second);
    expect(await last(bed, 10, both)).toEqual(['update node_unreachable m1 > chat']);
    expect(bed.notifications.at(-1)?.alert.effects?.count).toBe(1);
  });

  it('ends the labels of an effect that is over although another incident includes it', async () => {
    const bed = new AlertingTestbed({ rules });
    const warning = { service_not_online: [{ ...gpe2, replica: '1' }] };
    await last(bed, 60, warning);
    await last(bed, 60, { ...warning, partition_without_online_replica: [gpe1, gpe2] });
    await last(bed, 60, { ...warning, partition_without_online_replica: [gpe1, gpe2], cluster_down: [{}] });
    bed.notifications.length = 0;
    await last(bed, 60, { partition_without_online_replica: [gpe1, gpe2], cluster_down: [{}] });
    const relabeled = bed.notifications.filter(({ kind }) => kind === 'relabel').map(({ alert }) => alert);
    expect(relabeled).toMatchObject([
      {
        rule: 'partition_without_online_replica',
        formerLabels: [{ labels: { alertname: 'GraphdbServiceNotOnline' }, endsAt: expect.any(Number) }],
      },
    ]);
  });

  it('is reported with its labels to receivers that identify alerts by these if another cause includes it', async () => {
    const bed = new AlertingTestbed({
      rules,
      receivers: ['chat', 'oncall'].map((name) => ({ name, heartbeat: false })),
    });
    await last(bed, 90, { node_unreachable: [{ node: 'm1' }], ...partition });
    // The routes no longer lead to one of its receivers, so that it is not withheld for that of the other cause.
    bed.settings = { routes: [{ ...catchAllRoute, receivers: ['chat'] }] };
    const other = { ...partition, node_unreachable: [{ node: 'm2' }] };
    await last(bed, 25, other);
    const notices = await last(bed, 60, { ...other, cluster_down: [{}] });
    expect(notices).toContain('relabel partition_without_online_replica');
    expect(notices).not.toContain('update partition_without_online_replica > chat, oncall');
  });

  it('is reported with its labels if it is silenced when its cause begins', async () => {
    const bed = new AlertingTestbed({ rules });
    await last(bed, 30, instance);
    const times = { startsAt: bed.wall, endsAt: bed.wall + 3600 * second };
    const matchers = matchersOf('cluster_name="prod"');
    await bed.step({ kind: 'silence', silence: { id: 's', matchers, ...times, author: 'a', reason: 'b' } });
    expect(await last(bed, 30, { ...instance, ...partition })).toEqual(['relabel partition_without_online_replica']);
  });
});
