import { describe, expect, it, onTestFinished } from 'vitest';
import { openCluster } from '../../../src/graphdb/connect.ts';
import { failure } from '../../../src/kernel/failure.ts';
import type { OpenHttpPool } from '../../../src/kernel/http.ts';
import { err } from '../../../src/kernel/result.ts';
import type { ProbeReply } from '../../../src/model/probe.ts';
import { bareCluster, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { digest } from '../../support/digest.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { startInMemoryCluster } from '../../support/in-memory-cluster.ts';

/** Difference between the measured and the true visibility that is allowed, in ms. */
const precision = 20;

/** Fate of a request by its method: the request is lost, or its reply is lost. */
type Losses = Partial<Record<string, 'request' | 'answer'>>;

async function setUp(responseTime = 2, losses: Losses = {}) {
  const clock = new FakeClock();
  const { simulator, openPool, requests } = await startInMemoryCluster(clock, () => responseTime, { nodes: 3 });
  onTestFinished(() => simulator.close());
  const lossy: OpenHttpPool = (options) => {
    const pool = openPool(options);
    return {
      ...pool,
      async request(request, signal) {
        const loss = losses[request.method];
        if (loss !== 'request') {
          const reply = await pool.request(request, signal);
          if (loss === undefined) return reply;
        }
        await clock.sleep(Number.MAX_SAFE_INTEGER, signal);
        return err(failure('timeout', 'lost'));
      },
    };
  };
  const ports = { openPool: lossy, clock, random: { next: () => 0.5 }, files: new FakeFiles(), digest };
  const settings = { ...bareCluster, serverVersion: '4.1' };
  const start = () => {
    const cluster = openCluster(settings, { bodyLimit: 1_000_000, owner: 'warden-1' }, ports);
    const [first] = simulator.nodes.map(({ name, url }) => cluster.node({ name, url }));
    return first?.db ?? expect.fail('the cluster has no node');
  };
  let db = start();
  const send = (graph = 'fraud', signal = neverAborted(), timeout = 2000): Promise<ProbeReply> =>
    db.probe({ graph, timeout, task: { kind: 'write_heartbeat' } }, signal);
  async function sendRow(...given: Parameters<typeof send>): Promise<ProbeReply> {
    const running = send(...given);
    await clock.advance(60_000);
    return await running;
  }
  const restart = (): void => {
    db = start();
  };
  return { send, sendRow, restart, clock, control: simulator.control, requests, losses };
}

describe('a write heartbeat', () => {
  it.each([
    [0, 0, 0],
    [0, 40, 130],
    [7, 333, 999],
  ])('measures the visibility on each node within 20 ms: %d, %d and %d ms', async (...delays) => {
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

  it('fails with the error of the load, without reads, and deletes the row', async () => {
    const { sendRow, requests } = await setUp();
    expect((await sendRow('nope')).outcome).toMatchObject({ ok: false, error: { code: 'REST-1004' } });
    expect(requests.map(({ path }) => path.replace(/\/b[\da-f]+-\d+$/, ''))).toEqual([
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

  it('reads with backoff', async () => {
    const { sendRow, control, requests } = await setUp();
    for (const node of ['m1', 'm2', 'm3']) control.delayRows(node, 100_000);
    await sendRow('fraud', neverAborted(), 30_000);
    const reads = requests.filter(({ node, path }) => node === 'm2' && path.includes('heartbeat')).map(({ at }) => at);
    expect((reads[1] ?? 0) - (reads[0] ?? 0)).toBe(12);
    expect((reads.at(-1) ?? 0) - (reads.at(-2) ?? 0)).toBe(252);
    expect(reads.length).toBeLessThan(400);
  });
});

describe('a write heartbeat whose answers are lost', () => {
  it.each(['request', 'answer'] as const)(
    'deletes the row in the next run if the %s of the deletion was lost',
    async (loss) => {
      const { sendRow, control, losses } = await setUp(2, { DELETE: loss });
      expect((await sendRow()).outcome).toMatchObject({ ok: false, error: { heartbeat: 'not_deleted' } });
      expect(control.remainingRows()).toBe(loss === 'request' ? 1 : 0);
      delete losses.DELETE;
      expect((await sendRow()).outcome.ok).toBe(true);
      expect(control.remainingRows()).toBe(0);
    },
  );

  it('deletes the row after a restart if neither the write nor the deletion had an answer', async () => {
    const { sendRow, restart, control, losses } = await setUp(2, { POST: 'answer', DELETE: 'request' });
    expect((await sendRow()).outcome).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(control.remainingRows()).toBe(1);
    delete losses.POST;
    delete losses.DELETE;
    restart();
    expect((await sendRow()).outcome.ok).toBe(true);
    expect(control.remainingRows()).toBe(0);
  });

  it('leaves at most one row, after any number of failures', async () => {
    const { sendRow, control } = await setUp(2, { DELETE: 'request' });
    for (let run = 0; run < 5; run += 1) await sendRow();
    expect(control.remainingRows()).toBe(1);
  });

  it('ignores a row of an earlier run', async () => {
    const { sendRow, control, losses } = await setUp(2, { DELETE: 'request' });
    await sendRow();
    delete losses.DELETE;
    control.delayRows('m2', 300);
    const { visibility } = await sendRow();
    const { after = 0 } = visibility.find(({ node }) => node === 'm2') ?? {};
    expect(after).toBeGreaterThanOrEqual(300);
    expect(after - 300).toBeLessThanOrEqual(precision);
    expect(control.remainingRows()).toBe(0);
  });

  it('has a separate row from a concurrent run', async () => {
    const { send, clock, control } = await setUp();
    control.delayRows('m3', 100);
    const running = [send(), send()];
    await clock.advance(60_000);
    for (const { outcome } of await Promise.all(running)) expect(outcome.ok).toBe(true);
    expect(control.remainingRows()).toBe(0);
  });
});
