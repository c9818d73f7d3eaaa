import { describe, expect, it } from 'vitest';
import {
  addressOf,
  engineAlert,
  fakeReceivers,
  openAlertingCluster,
  untilNotified,
} from '../support/alerting-cluster.ts';
import { isLog, isSync, tracer } from '../support/system-calls.ts';
import { findTool } from '../support/tools.ts';

describe.skipIf(findTool('strace') === undefined)('a pending notification', () => {
  it('is on the disk before its first byte is sent', async () => {
    const receivers = await fakeReceivers({ name: 'hook', kind: 'webhook' });
    const url = addressOf(receivers, 'hook');
    const setup = await openAlertingCluster({
      receivers: [{ name: 'hook', webhook: { url } }],
      routes: [{ receivers: ['hook'], group_wait: '0s' }],
    });
    const trace = await tracer();
    const { child } = await setup.startDaemon(trace.around);
    setup.setEngine('Down');
    await untilNotified(receivers, 'hook', 'trigger');
    expect(await child.stop()).toBe(0);

    const calls = await trace.calls();
    const written = calls.findIndex((call) => isLog(call) && call.text.includes(engineAlert.alertname));
    const synced = calls.findIndex((call, at) => at > written && isSync(call));
    const sent = calls.findIndex(({ text }) => text.includes(`->127.0.0.1:${new URL(url).port}]`));
    expect(written).toBeGreaterThan(-1);
    expect(synced).toBeGreaterThan(written);
    expect(calls[sent]?.began).toBeGreaterThan(calls[synced]?.returned ?? Number.POSITIVE_INFINITY);
  });
});
