import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../src/app/assemble.ts';
import type { Config } from '../../src/config/config.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { clusterOf, configOf, sendRequest, testbed } from './fakes.ts';

const three = configOf([clusterOf('prod', ['m1', 'm2', 'm3'])]);

async function started(config: Config = three) {
  const bed = testbed();
  const app = assembleApp(config, bed.ports, bed.parts);
  await app.start();
  await bed.clock.advance(2000);
  const metrics = async (): Promise<string> => (await sendRequest(app.handler, '/metrics')).body;
  return { ...bed, app, metrics };
}

function withInterval(interval: number): Config {
  const lists = { ...(three.collectors.lists ?? expect.fail()), interval };
  return { ...three, collectors: { ...three.collectors, lists } };
}

function withToken(text: string): Config {
  const readAuth = { kind: 'bearer', token: { value: new Secret(text) } } as const;
  return configOf([clusterOf('prod', ['m1'], { readAuth }), clusterOf('test', ['t1'])]);
}

const rare = Object.entries(three.collectors).map(([name, one]) => {
  return [name, { ...one, interval: 600_000, staleAfter: 20_500 }] as const;
});
const rarelyPolled = { ...three, collectors: Object.fromEntries(rare) };

describe('a daemon without poll results', () => {
  it('updates its own series within 5 s, and expires gauges within 1 s', async () => {
    const { app, clock, metrics, ports } = await started(rarelyPolled);
    expect(await metrics()).toContain('graphwarden_state_durable 1');
    Object.defineProperty(ports.store, 'durable', { value: false });
    await clock.advance(5000);
    expect(await metrics()).toContain('graphwarden_state_durable 0');
    expect(await metrics()).toContain('graphdb_listed{');
    await clock.advance(16_500);
    expect(await metrics()).not.toContain('graphdb_listed{');
    await app.stop();
    expect(clock.sleeping).toBe(0);
  });

  it('sleeps until the next due time', async () => {
    const { app, clock } = await started(rarelyPolled);
    const lengths: number[] = [];
    const sleep = clock.sleep.bind(clock);
    Object.defineProperty(clock, 'sleep', {
      value: (length: number, signal?: AbortSignal) => {
        lengths.push(length);
        return sleep(length, signal);
      },
    });
    await clock.advance(15_000);
    // The pause file, which is not watched here, is checked every 500 ms, each time with a timeout of 400 ms.
    expect(lengths.filter((length) => length > 500)).toEqual([4000, 5000, 5000, 4500]);
    await app.stop();
  });
});

describe('a change of the configuration', () => {
  it('keeps sockets, state and poll times of unchanged parts over a hundred reloads', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    const opened = fakeClusters.connections.length;
    const other = configOf([clusterOf('prod', ['m1', 'm2', 'm3']), clusterOf('test', ['t1'])]);
    for (let round = 0; round < 100; round += 1) {
      await app.reconfigure(round % 2 === 0 ? other : structuredClone(three));
      expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m1"} 1');
      await clock.advance(500);
    }
    expect(fakeClusters.connections.slice(opened).every((event) => event.includes('test'))).toBe(true);
    // First read at 1 s, then every 5 s from 2.5 s on: at 2.5, 7.5 … 47.5 and 52 s that is 10 and 1.
    expect(fakeClusters.count('health@m1')).toBe(11);
    expect(await metrics()).not.toMatch(/skipped_total\{cluster_name="prod".*\} [1-9]/);
    expect(await metrics()).not.toContain('"test"');
    await app.stop();
    expect(clock.sleeping).toBe(0);
  });

  it('starts and ends single nodes', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    await app.reconfigure(configOf([clusterOf('prod', ['m1', 'm3', 'm4'])]));
    await clock.advance(2000);
    expect(await metrics()).not.toContain('node="m2"');
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m4"} 1');
    expect(fakeClusters.connections).toContain('close prod/m2');
    expect(fakeClusters.connections).not.toContain('close prod/m1');
    expect(fakeClusters.connections.filter((event) => event === 'open prod')).toHaveLength(1);
    await app.stop();
  });

  it('reopens connections with changed credentials, without a gap on the page', async () => {
    const { app, clock, metrics, fakeClusters } = await started(withToken('one'));
    await app.reconfigure(withToken('one'));
    expect(fakeClusters.connections.filter((event) => event === 'open prod')).toHaveLength(1);
    await app.reconfigure(withToken('two'));
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m1"} 1');
    await clock.advance(1);
    expect(fakeClusters.connections.filter((event) => event === 'open prod')).toHaveLength(2);
    expect(fakeClusters.connections).toContain('close prod');
    expect(fakeClusters.connections.filter((event) => event === 'open test')).toHaveLength(1);
    await app.stop();
  });

  it('finishes a read in progress before it closes the sockets', async () => {
    const { app, clock, fakeClusters } = await started();
    fakeClusters.set('health', 'm1', 'hangs');
    await clock.advance(600);
    await app.reconfigure(configOf([clusterOf('prod', ['m1', 'm2', 'm3'], { graphs: ['g'] })]));
    await clock.advance(1000);
    expect(fakeClusters.connections).not.toContain('close prod/m1');
    await clock.advance(3000);
    expect(fakeClusters.connections).toContain('close prod/m1');
    await app.stop();
  });

  it('applies the new interval of a collector, and keeps the poll times of others', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    await app.reconfigure(withInterval(20_000));
    await clock.advance(40_000);
    expect(fakeClusters.count('health@m1')).toBe(9);
    expect(fakeClusters.count('lists@m1')).toBe(4);
    expect(await metrics()).toContain('interval_seconds{cluster_name="prod",node="m1",collector="lists"} 20');
    await app.stop();
  });

  it('removes a disabled collector from the page', async () => {
    const { app, clock, metrics } = await started();
    const lists = { ...(three.collectors.lists ?? expect.fail()), enabled: false };
    await app.reconfigure({ ...three, collectors: { ...three.collectors, lists } });
    expect(await metrics()).not.toContain('graphdb_listed{');
    expect(await metrics()).not.toContain('collector="lists"');
    await clock.advance(10_000);
    expect(await metrics()).not.toContain('graphdb_listed{');
    await app.stop();
  });

  it('shows new labels at once', async () => {
    const { app, metrics } = await started();
    await app.reconfigure(configOf([clusterOf('prod', ['m1', 'm2', 'm3'], { labels: { env: 'prod' } })]));
    const page = await metrics();
    expect(page).toContain('graphdb_up{cluster_name="prod",env="prod",node="m1"} 1');
    expect(page).not.toContain('graphdb_up{cluster_name="prod",node="m1"} 1');
    expect(page).toContain(
      'graphwarden_collector_success{cluster_name="prod",env="prod",node="m1",collector="health"} 1',
    );
    await app.stop();
  });

  it('fills a page with new limits before it is served', async () => {
    const { app, metrics } = await started();
    const limits = { ...three.limits, seriesPerFamily: 2 };
    const changing = app.reconfigure({ ...three, limits });
    expect((await metrics()).match(/^graphdb_up\{/gm)).toHaveLength(3);
    await changing;
    expect((await metrics()).match(/^graphdb_up\{/gm)).toHaveLength(2);
    expect(await metrics()).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 3');
    await app.stop();
  });

  it('limits the memory of replies at the start and with each change', async () => {
    const limits: (number | undefined)[] = [];
    const bed = testbed();
    const replyMemory = { limitProcess: (bytes: number | undefined) => void limits.push(bytes) };
    const app = assembleApp(three, { ...bed.ports, replyMemory }, bed.parts);
    await app.start();
    await app.reconfigure({ ...three, limits: { ...three.limits, memory: 512 } });
    expect(limits).toEqual([undefined, 512]);
    await app.stop();
  });

  it('applies no change after the stop', async () => {
    const { app, fakeClusters } = await started();
    await app.stop();
    const opened = fakeClusters.connections.length;
    await app.reconfigure(configOf([clusterOf('test', ['t1'])]));
    expect(fakeClusters.connections).toHaveLength(opened);
  });

  it('does not delay the stop of the guard: unsent aborts are dropped immediately', async () => {
    const { ports, parts, clock, fakeClusters } = testbed();
    const looks: number[] = [];
    const stuck = Promise.withResolvers<void>();
    const files: typeof ports.files = {
      ...ports.files,
      async presence() {
        looks.push(clock.now().mono);
        return 'absent';
      },
    };
    const { store } = ports;
    const find: typeof store.find = async (query) => {
      if (query.where?.some(({ value }) => value === 'test')) await stuck.promise;
      return await store.find(query);
    };
    const app = assembleApp(three, { ...ports, files, store: Object.assign(memoryStore(), { find }) }, parts);
    await app.start();
    await clock.advance(2000);
    void app.reconfigure(configOf([clusterOf('prod', ['m1']), clusterOf('test', ['t1'])]));
    await clock.advance(2000);
    const stopping = app.stop();
    await clock.advance(500);
    const { length } = looks;
    await clock.advance(5000);
    expect(looks.slice(length)).toEqual([]);
    stuck.resolve();
    await clock.advance(1000);
    await stopping;
    expect([fakeClusters.connections.includes('open test'), clock.sleeping]).toEqual([false, 0]);
  });
});
