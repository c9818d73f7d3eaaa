import { describe, expect, it } from 'vitest';
import { AlertingTestbed, type FiringRules, ruleOf } from './alerting-testbed.ts';

const second = 1000;
const replica = ['service_name', 'partition', 'replica'];
const held = { for: 30 * second, keepFiringFor: 60 * second };
const gpe1 = { service_name: 'GPE', partition: '1' };
const instance = { ...gpe1, replica: '1' };

/** Evaluates the same once a second, and returns all notices. */
async function last(bed: AlertingTestbed, seconds: number, wrong: FiringRules['rules']): Promise<readonly string[]> {
  const notices: string[] = [];
  for (let at = 0; at < seconds; at += 1) notices.push(...(await bed.evaluate({ rules: wrong }, second)));
  return notices;
}

/** Returns the name of the last notified alert, and its former labels: name, severity, and whether they ended. */
function namesOf(bed: AlertingTestbed) {
  const { alert } = bed.notifications.at(-1) ?? expect.fail();
  const former = (alert.formerLabels ?? []).map((one) => [one.labels.alertname, one.labels.severity, 'endsAt' in one]);
  return [alert.labels.alertname, ...former];
}

describe('the former labels of an incident', () => {
  const labels = replica.slice(0, 2);
  const outages = [
    ruleOf('partition_without_online_replica', { severity: 'critical', labels, ...held }),
    ruleOf('partition_unavailable', { severity: 'critical', labels, ...held }),
    ruleOf('service_not_online', { labels: replica, ...held }),
  ];
  const outage = { partition_without_online_replica: [gpe1] };

  it('do not contain those of a cause that fires again, so that no receiver resolves it', async () => {
    const bed = new AlertingTestbed({ rules: outages });
    const effect = { partition_unavailable: [gpe1] };
    await last(bed, 100, { ...outage, ...effect });
    await last(bed, 400, effect);
    const cause = 'GraphdbPartitionWithoutOnlineReplica';
    expect(namesOf(bed)).toEqual(['GraphdbPartitionUnavailable', [cause, 'critical', true]]);
    await last(bed, 60, { ...outage, ...effect });
    expect(namesOf(bed)).toEqual([cause, ['GraphdbPartitionUnavailable', 'critical', false]]);
  });

  it('do not contain a severity that the cause never had', async () => {
    const bed = new AlertingTestbed({ rules: outages });
    await last(bed, 60, { service_not_online: [instance] });
    const [update] = await last(bed, 60, { ...outage, service_not_online: [instance] });
    expect(update).toBe('update partition_without_online_replica > chat');
    expect(bed.notifications.at(-1)?.alert.severity).toBe('critical');
    expect(namesOf(bed)).toEqual([
      'GraphdbPartitionWithoutOnlineReplica',
      ['GraphdbServiceNotOnline', 'warning', false],
    ]);
  });
});
