import { describe, expect, it, onTestFinished } from 'vitest';
import { engineAlert, openAlertingCluster } from '../support/alerting-cluster.ts';
import { type Alertmanager, type KnownAlert, startAlertmanager } from '../support/alertmanager.ts';
import { eventually } from '../support/child.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';
import { findTool } from '../support/tools.ts';
import { laggingClock } from './fast-clock.ts';

function throughPeers(...peers: readonly Alertmanager[]) {
  return openAlertingCluster({
    receivers: [{ name: 'am', alertmanager: { urls: peers.map(({ url }) => url) } }],
    routes: [{ receivers: ['am'], group_wait: '0s' }],
  });
}

async function arrivedAt(peer: Alertmanager): Promise<KnownAlert> {
  return eventually('the alert is there', async () => (await peer.alerts(`alertname="${engineAlert.alertname}"`))[0]);
}

async function goneFrom(peer: Alertmanager): Promise<void> {
  await eventually('the alert is gone', async () => (await peer.alerts()).length === 0);
}

describe.skipIf(findTool('prometheus-alertmanager') === undefined)('Alertmanager', () => {
  it('receives each alert at every peer, with stable labels and explaining annotations', async () => {
    const peers = await Promise.all([startAlertmanager(), startAlertmanager()]);
    const setup = await throughPeers(...peers);
    await setup.startDaemon();
    setup.setEngine('Down');
    const [alert, copy] = await Promise.all(peers.map((peer) => arrivedAt(peer)));
    expect(alert).toMatchObject({
      labels: { ...engineAlert, severity: expect.any(String) },
      status: { state: 'active' },
    });
    expect(copy?.labels).toEqual(alert?.labels);
    expect(alert?.annotations).toMatchObject({
      summary: expect.stringContaining('GPE'),
      runbook_url: expect.stringContaining('#service_not_online'),
      episode: expect.anything(),
    });
    // Alertmanager resolves the alert after 15 minutes without a notification.
    const ahead = Date.parse(alert?.endsAt ?? '') - Date.now();
    expect(ahead).toBeGreaterThan(13 * 60_000);
    expect(ahead).toBeLessThanOrEqual(15 * 60_000);
    setup.setEngine('Online');
    await Promise.all(peers.map((peer) => goneFrom(peer)));
  });

  it('receives an alert if one of its peers is down', async () => {
    const [gone, peer] = await Promise.all([startAlertmanager(), startAlertmanager()]);
    await gone.stop();
    const setup = await throughPeers(gone, peer);
    await setup.startDaemon();
    setup.setEngine('Down');
    await arrivedAt(peer);
    setup.setEngine('Online');
    await goneFrom(peer);
  });

  it('receives the alert again after a restart, and its resolve', async () => {
    const peer = await startAlertmanager();
    const setup = await throughPeers(peer);
    // The daemon sends open incidents once a minute.
    const clock = laggingClock(60_000);
    const daemon = await startInProcessDaemon(setup.settings, { clock });
    onTestFinished(() => daemon.stop());
    await setup.untilEngineKnown(daemon.url);
    setup.setEngine('Down');
    const before = await arrivedAt(peer);
    await peer.stop();
    const restarted = Date.now();
    await peer.start();
    // Alertmanager keeps alerts in memory only: it received this alert after the restart.
    clock.catchUp();
    const after = await arrivedAt(peer);
    expect([after.labels, after.startsAt]).toEqual([before.labels, before.startsAt]);
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(restarted);
    setup.setEngine('Online');
    await goneFrom(peer);
  });
});
