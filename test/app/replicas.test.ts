import { describe, expect, it } from 'vitest';
import type { OpenHttpPool } from '../../src/kernel/http.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { LeaseKeeper } from '../../src/runtime/postgres/lease-keeper.ts';
import { FakeClock } from '../support/clock.ts';
import { FailingStore } from '../support/failing-store.ts';
import { startInMemoryCluster } from '../support/in-memory-cluster.ts';
import { LeaseModel, type ModelLink } from '../support/lease-model.ts';
import { recordingLogger } from '../support/logger.ts';
import { startInMemoryApp } from './in-memory-app.ts';

const collectors = { services: { interval: '5s' }, health: { interval: '5s' }, queries: { enabled: false } };
const alerts = {
  receivers: [{ name: 'hook', webhook: { url: 'http://hook.test/' } }],
  routes: [{ receivers: ['hook'], group_wait: '0s' }],
  rules: { watchdog: { enabled: false } },
};

/** Two applications with the same store and the same leases, on a cluster with an outage. */
async function replicas() {
  const clock = new FakeClock();
  const cluster = await startInMemoryCluster(clock, () => 2, { nodes: 1 });
  const model = new LeaseModel(() => clock.now().wall);
  const store = new FailingStore();
  const sent: string[] = [];
  const aboutReplicas: string[] = [];
  const start = async (id: string) => {
    const state = { isCut: false };
    const link: ModelLink = { arrives: async () => !state.isCut, returns: async () => !state.isCut };
    const ownership = new LeaseKeeper({ clock, log: recordingLogger(), database: model.connect(id, link), id });
    const polled: string[] = [];
    const openPool: OpenHttpPool = (options) => {
      const pool = cluster.openPool(options);
      const request: typeof pool.request = async (outgoing, signal) => {
        if (!options.origin.startsWith('http://hook')) {
          polled.push(outgoing.path);
          return pool.request(outgoing, signal);
        }
        if (outgoing.mayWrite?.() === false) return err({ reason: 'timeout', message: 'withheld', unsent: true });
        const { alerts: all } = JSON.parse(outgoing.body ?? '') as { alerts: { status: string; labels: Labels }[] };
        for (const { status, labels } of all) {
          const isOwn = labels.alertname.startsWith('Graphwarden');
          (isOwn ? aboutReplicas : sent).push(`${id} ${status} ${labels.alertname}`);
        }
        return ok({ status: 200, headers: {}, body: new Uint8Array() });
      };
      return { ...pool, request };
    };
    const world = { clock, cluster, store, ports: { ownership, openPool }, config: { alerts } };
    const app = await startInMemoryApp(world, collectors);
    await clock.advance(600);
    return { ...app, state, polled, ownership };
  };
  return { clock, cluster, model, store, sent, aboutReplicas, start };
}

interface Labels {
  readonly alertname: string;
}

describe('two replicas', () => {
  it('share a cluster: one polls and notifies, the other takes over with the same incident, also after a stall', async () => {
    const { clock, cluster, sent, aboutReplicas, start } = await replicas();
    const first = await start('a');
    const second = await start('b');
    await clock.advance(10_000);
    expect(first.polled.length).toBeGreaterThan(0);
    expect(second.polled).toEqual([]);
    cluster.simulator.control.setInstances('GPE', 'Down');
    await clock.advance(60_000);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every((line) => line.startsWith('a firing'))).toBe(true);
    const before = sent.length;

    // The first replica cannot reach the database any more, but it still polls.
    first.state.isCut = true;
    await clock.advance(30_000);
    expect(second.polled.length).toBeGreaterThan(0);
    expect(second.ownership.remaining('prod')).toBeGreaterThan(0);
    expect(sent).toHaveLength(before);
    expect(aboutReplicas).toEqual(['b firing GraphwardenLeaseLost']);
    first.state.isCut = false;
    await clock.advance(5000);
    const polls = first.polled.length;
    await clock.advance(20_000);
    expect(first.polled).toHaveLength(polls);

    await second.stop();
    await clock.advance(10_000);
    expect(first.polled.length).toBeGreaterThan(polls);
    expect(sent).toHaveLength(before);
    await first.stop();
  });

  it('lose the database during a takeover: the next owner polls at once, and notifies when the state is restored', async () => {
    const { clock, cluster, model, store, sent, start } = await replicas();
    const first = await start('a');
    cluster.simulator.control.setInstances('GPE', 'Down');
    await clock.advance(60_000);
    const second = await start('b');
    await clock.advance(10_000);
    const before = sent.length;
    expect(before).toBeGreaterThan(0);

    // The lease is taken, but the state cannot be read.
    store.isFull = true;
    await first.stop();
    expect(second.ownership.owns('prod')).toBe(true);
    model.problem = 'the database is away';
    cluster.simulator.control.setInstances('GPE', 'Online');
    const polls = second.polled.length;
    await clock.advance(300_000);
    expect(second.polled.length).toBeGreaterThan(polls + 50);
    expect(await second.get('/metrics')).toContain('graphdb_up{cluster_name="prod",node="m1"} 1');
    expect(JSON.parse(await second.get('/api/v1/clusters?name=prod'))).toMatchObject({ items: [{ name: 'prod' }] });
    expect(second.log.lines.filter(({ message }) => message.startsWith('cluster state restore failed'))).toHaveLength(
      1,
    );
    expect(sent).toHaveLength(before);
    expect(second.log.lines.filter(({ message }) => message === 'guard state cannot be read')).toEqual([]);

    store.isFull = false;
    model.problem = undefined;
    await clock.advance(300_000);
    expect(sent.slice(before).map((line) => line.split(' ').slice(0, 2).join(' '))).toContain('b resolved');
    expect(sent.slice(before).some((line) => line.includes('firing'))).toBe(false);
    expect(JSON.parse(await second.get('/api/v1/services')).total).toBeGreaterThan(0);
    await second.stop();
  });
});
