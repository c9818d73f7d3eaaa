import { describe, expect, it } from 'vitest';
import { alertingScene, engineAlert } from '../support/alerting-scene.ts';
import { type Alertmanager, type KnownAlert, startAlertmanager } from '../support/alertmanager.ts';
import { eventually } from '../support/child.ts';
import { findTool } from '../support/tools.ts';

function throughPeers(...peers: readonly Alertmanager[]) {
  return alertingScene({
    receivers: [{ name: 'am', alertmanager: { urls: peers.map(({ url }) => url) } }],
    routes: [{ receivers: ['am'], group_wait: '0s' }],
  });
}

async function arrivedAt(peer: Alertmanager, within?: number): Promise<KnownAlert> {
  const found = async () => (await peer.alerts(`alertname="${engineAlert.alertname}"`))[0];
  return eventually('the alert is there', found, within);
}

async function goneFrom(peer: Alertmanager): Promise<void> {
  await eventually('the alert is gone', async () => (await peer.alerts()).length === 0);
}

describe.skipIf(findTool('prometheus-alertmanager') === undefined)('a real Alertmanager', () => {
  it('is told by every peer of it, in labels that stay and annotations that explain', async () => {
    const peers = await Promise.all([startAlertmanager(), startAlertmanager()]);
    const scene = await throughPeers(...peers);
    await scene.live();
    scene.setEngine('Down');
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
    // It resolves by itself in a quarter of an hour, should nobody tell it anything any more.
    const ahead = Date.parse(alert?.endsAt ?? '') - Date.now();
    expect(ahead).toBeGreaterThan(13 * 60_000);
    expect(ahead).toBeLessThanOrEqual(15 * 60_000);
    scene.setEngine('Online');
    await Promise.all(peers.map((peer) => goneFrom(peer)));
  });

  it('is told though one of its peers is away', async () => {
    const [gone, peer] = await Promise.all([startAlertmanager(), startAlertmanager()]);
    await gone.stop();
    const scene = await throughPeers(gone, peer);
    await scene.live();
    scene.setEngine('Down');
    await arrivedAt(peer);
    scene.setEngine('Online');
    await goneFrom(peer);
  });

  it('knows again what it forgot in a restart, and hears of the end', async () => {
    const peer = await startAlertmanager();
    const scene = await throughPeers(peer);
    await scene.live();
    scene.setEngine('Down');
    const before = await arrivedAt(peer);
    await peer.stop();
    const restarted = Date.now();
    await peer.start();
    // It keeps alerts in memory alone: what it knows now it was told since.
    const after = await arrivedAt(peer, 150_000);
    expect([after.labels, after.startsAt]).toEqual([before.labels, before.startsAt]);
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(restarted);
    scene.setEngine('Online');
    await goneFrom(peer);
  }, 240_000);
});
