import { describe, expect, it } from 'vitest';
import { shortIncidentId } from '../../src/model/alert.ts';
import { AlertingTestbed, catchAllRoute, ruleOf, settingsOf } from './alerting-testbed.ts';

const rule = ruleOf('quick');
const settings = {
  rules: { quick: settingsOf(rule) },
  routes: [{ ...catchAllRoute, receivers: ['chat'], repeatInterval: 60_000 }],
};
const firing = { rules: { quick: [{ node: 'm1' }] } };
const by = (author: string, at: number) => ({ author, comment: 'on it', at });

/** Returns alerting with one firing incident, and the id of the incident. */
async function withIncident(more = {}): Promise<{ readonly bed: AlertingTestbed; readonly id: string }> {
  const bed = new AlertingTestbed({ rules: [rule], settings, ...more });
  await bed.evaluate(firing);
  await bed.evaluate(firing, 1000);
  const [incident] = bed.state.incidents.values();
  if (incident === undefined) throw new Error('no incident fires');
  return { bed, id: shortIncidentId({ key: incident.key, episode: incident.number }) };
}

describe('acknowledgement', () => {
  it('is sent to the notified receivers, and stops their reminders', async () => {
    const { bed, id } = await withIncident();
    const acknowledgement = by('ada', bed.wall);
    expect(await bed.step({ kind: 'acknowledge', id, acknowledgement })).toEqual(['acknowledge quick m1']);
    expect(bed.notifications.at(-1)).toMatchObject({
      change: 'acknowledged',
      alert: { annotations: { acknowledgement: 'by ada at 2026-09-22 04:53:21 UTC: on it' } },
    });
    expect(await bed.evaluate(firing, 3_600_000)).toEqual([]);
  });

  it('survives a restart and ends with the incident', async () => {
    const { bed, id } = await withIncident();
    await bed.step({ kind: 'acknowledge', id, acknowledgement: by('ada', bed.wall) });
    await bed.restart(60_000);
    expect(await bed.evaluate(firing, 3_600_000)).toEqual([]);
    expect([...bed.state.incidents.values()][0]?.acknowledgement).toMatchObject({ author: 'ada', comment: 'on it' });
    expect(await bed.evaluate({ rules: {} }, 1000)).toEqual(['resolve quick m1']);
    await bed.evaluate(firing, 1000);
    await bed.evaluate(firing, 1000);
    expect([...bed.state.incidents.values()][0]?.acknowledgement).toBeUndefined();
  });

  it('is withdrawn with a notification, after which a due reminder follows', async () => {
    const { bed, id } = await withIncident();
    await bed.step({ kind: 'acknowledge', id, acknowledgement: by('ada', bed.wall) });
    expect(await bed.step({ kind: 'unacknowledge', id }, 3_600_000)).toEqual(['acknowledge quick m1']);
    expect(bed.notifications.at(-1)).toMatchObject({ change: 'unacknowledged' });
    expect(bed.notifications.at(-1)?.alert.annotations).not.toHaveProperty('acknowledgement');
    expect(await bed.evaluate(firing, 1000)).toEqual(['again quick m1 > chat']);
  });

  it('is not sent if no receiver was notified of the incident', async () => {
    const { bed, id } = await withIncident({ settings: { ...settings, routes: [] } });
    expect(await bed.step({ kind: 'acknowledge', id, acknowledgement: by('ada', bed.wall) })).toEqual([]);
    expect([...bed.state.incidents.values()][0]?.acknowledgement?.author).toBe('ada');
  });

  it('does not apply to an unknown incident', async () => {
    const { bed, id } = await withIncident();
    const before = bed.state;
    expect(await bed.step({ kind: 'acknowledge', id: `${id}0`, acknowledgement: by('ada', 1) })).toEqual([]);
    expect(bed.state).toBe(before);
  });

  it('does not apply to the heartbeat, which would stop', async () => {
    const watchdog = ruleOf('watchdog');
    const bed = new AlertingTestbed({ rules: [watchdog], receivers: [{ name: 'hook', heartbeat: true }] });
    const alive = { rules: { watchdog: [{ node: 'm1' }] } };
    await bed.evaluate(alive);
    await bed.evaluate(alive, 1000);
    const [incident] = bed.state.incidents.values();
    const id = shortIncidentId({ key: incident?.key ?? '', episode: incident?.number ?? 0 });
    await bed.step({ kind: 'acknowledge', id, acknowledgement: by('ada', bed.wall) });
    expect(await bed.evaluate(alive, 60_000)).toEqual(['again watchdog m1 > hook']);
  });
});
