import { describe, expect, it, onTestFinished } from 'vitest';
import { openCluster } from '../../../src/graphdb/connect.ts';
import type { ProbeReply } from '../../../src/model/probe.ts';
import { bareCluster, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { digest } from '../../support/digest.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { startInMemoryCluster } from '../../support/in-memory-cluster.ts';

/** Difference between the measured and the true visibility that is allowed, in ms. */
const precision = 20;

async function setUp(responseTime = 2) {
  const clock = new FakeClock();
  const { simulator, openPool, requests } = await startInMemoryCluster(clock, () => responseTime, { nodes: 3 });
  onTestFinished(() => simulator.close());
  const ports = { openPool, clock, random: { next: () => 0.5 }, files: new FakeFiles(), digest };
  const settings = { ...bareCluster, serverVersion: '4.1' };
  const cluster = openCluster(settings, { bodyLimit: 1_000_000 }, ports);
  const [first] = simulator.nodes.map(({ name, url }) => cluster.node({ name, url }));
  const db = first?.db ?? expect.fail('the cluster has no node');
  async function sendRow(graph = 'fraud', signal = neverAborted(), timeout = 2000): Promise<ProbeReply> {
    const running = db.probe({ graph, timeout, task: { kind: 'write_heartbeat' } }, signal);
    await clock.advance(60_000);
    return await running;
  }
  return { sendRow, clock, control: simulator.control, requests };
}

describe('a write heartbeat', () => {
  it.each([
    [0, 0, 0],
    [0, 40, 130],
    [7, 333, 999],
  ])('measures the visibility on each node within 20 ms of the truth: %d, %d and %d ms', async (...delays) => {
    const { sendRow, control } = await setUp();
    for (const [at, delay] of delays.entries()) control.delayRows(`m${at + 1}`, delay);
    const { outcome, visibility, phases, duration } = await sendRow();
    expect(outcome.ok).toBe(true);
    expect(visibility.map(({ node }) => node)).toEqual(['m1', 'm2', 'm3']);
    for (const [at, { after = Number.NaN }] of visibility.entries()) {
      const truth = delays[at] ?? Number.NaN;
      expect(after).toBeGreaterThanOrEqual(truth);
      expect(after - truth).toBeLessThanOrEqual(precision);
    }
    expect(phases.visible).toBe(Math.max(...visibility.map(({ after = 0 }) => after)));
    expect(duration).toBe(phases.visible);
    expect(control.remainingRows()).toBe(0);
  });

  it('names the nodes that do not return the row in time, and deletes it', async () => {
    const { sendRow, control } = await setUp();
    control.delayRows('m2', 5000);
    const { outcome, visibility } = await sendRow();
    expect(outcome).toMatchObject({
      ok: false,
      error: { heartbeat: 'not_visible', message: expect.stringMatching(/m2$/) },
    });
    expect(visibility.map(({ after }) => after !== undefined)).toEqual([true, false, true]);
    expect(control.remainingRows()).toBe(0);
  });

  it('fails with the error of the load, reads nothing, and deletes all the same', async () => {
    const { sendRow, requests } = await setUp();
    expect((await sendRow('nope')).outcome).toMatchObject({ ok: false, error: { code: 'REST-1004' } });
    expect(requests.map(({ path }) => path.replace(/\/b[\d-]+$/, ''))).toEqual([
      '/restpp/ddl/nope',
      '/restpp/graph/nope/vertices/graphwarden_heartbeat',
    ]);
  });

  it('ends at its timeout if the load hangs', async () => {
    const { sendRow } = await setUp(4000);
    const { outcome, duration } = await sendRow();
    expect(outcome).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(duration).toBe(2000);
  });

  it('reads less and less often', async () => {
    const { sendRow, control, requests } = await setUp();
    for (const node of ['m1', 'm2', 'm3']) control.delayRows(node, 100_000);
    await sendRow('fraud', neverAborted(), 30_000);
    const reads = requests.filter(({ node, path }) => node === 'm2' && path.includes('heartbeat')).map(({ at }) => at);
    expect((reads[1] ?? 0) - (reads[0] ?? 0)).toBe(12);
    expect((reads.at(-1) ?? 0) - (reads.at(-2) ?? 0)).toBe(252);
    expect(reads.length).toBeLessThan(400);
  });
});
