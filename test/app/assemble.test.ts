import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../src/app/assemble.ts';
import type { Collector } from '../../src/collect/collector.ts';
import type { Config } from '../../src/config/config.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { epoch } from '../guard/observations.ts';
import { fakeCollectors } from './fake-collectors.ts';
import { clusterOf, configOf, FakeClusters, sendRequest, settingsOf, testbed } from './fakes.ts';
import { entryAt, guardOf, runaway } from './guard/guard-fixture.ts';

const three = configOf([clusterOf('prod', ['m1', 'm2', 'm3'])]);

async function started(config: Config = three, bed = testbed()) {
  const app = assembleApp(config, bed.ports, bed.parts);
  await app.start();
  const metrics = async (): Promise<string> => (await sendRequest(app.handler, '/metrics')).body;
  const ready = async (): Promise<number> => (await sendRequest(app.handler, '/-/ready')).status;
  return { ...bed, app, metrics, ready };
}

describe('an application', () => {
  it('polls each node at its interval and exposes the result', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    expect(fakeClusters.polled).toEqual([]);
    await clock.advance(2000);
    const page = await metrics();
    for (const node of ['m1', 'm2', 'm3']) expect(page).toContain(`graphdb_up{cluster_name="prod",node="${node}"} 1`);
    expect(page).toContain('graphdb_load{cluster_name="prod"} 1');
    expect(page).toContain('process_test 1');
    expect(page).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 3');
    expect(page).toContain('graphwarden_collector_success{cluster_name="prod",node="m1",collector="health"} 1');
    expect(page).toContain('graphwarden_collector_success{cluster_name="prod",node="",collector="load"} 1');
    expect(fakeClusters.count('load@m1')).toBe(1);
    expect(fakeClusters.count('load@m2')).toBe(0);
    await app.stop();
  });

  it('shows clusters in the order of the configuration', async () => {
    const { app, clock, metrics } = await started(configOf([clusterOf('zeta', ['z1']), clusterOf('alpha', ['a1'])]));
    await clock.advance(2000);
    const clusters = [...(await metrics()).matchAll(/^graphdb_up\{cluster_name="(\w+)"/gm)].map(([, name]) => name);
    expect(clusters).toEqual(['zeta', 'alpha']);
    await app.stop();
  });

  it('initializes the counter of every failure reason at 0', async () => {
    const { app, metrics } = await started();
    const page = await metrics();
    for (const reason of ['timeout', 'unreachable', 'tls', 'auth', 'status', 'body', 'too_large', 'unsupported']) {
      const labels = `cluster_name="prod",node="m2",collector="health",reason="${reason}"`;
      expect(page).toContain(`graphwarden_collector_failures_total{${labels}} 0`);
    }
    await app.stop();
  });

  it('is ready after the first round, successful or not', async () => {
    const bed = testbed();
    bed.fakeClusters.set('health', 'm2', 'hangs');
    const { app, clock, ready } = await started(three, bed);
    expect(await ready()).toBe(503);
    await clock.advance(2000);
    expect(await ready()).toBe(503);
    await clock.advance(3000);
    expect(await ready()).toBe(200);
    await app.stop();
    expect(await ready()).toBe(503);
  });

  it('does not delay other nodes when one hangs, and reports that node as down', async () => {
    const bed = testbed();
    for (const name of ['health', 'load', 'lists', 'backup']) bed.fakeClusters.set(name, 'm1', 'hangs');
    const { app, clock, metrics, fakeClusters } = await started(three, bed);
    await clock.advance(20_000);
    const page = await metrics();
    expect(page).toContain('graphdb_up{cluster_name="prod",node="m1"} 0');
    expect(page).toContain('graphdb_up{cluster_name="prod",node="m2"} 1');
    expect(page).not.toContain('graphdb_listed{cluster_name="prod",node="m1"}');
    expect(page).toContain('graphdb_listed{cluster_name="prod",node="m3"} 1');
    expect(page).toContain('graphdb_load{cluster_name="prod"} 1');
    expect(page).toMatch(/failures_total\{cluster_name="prod",node="m1",collector="health",reason="timeout"\} [1-9]/);
    expect(fakeClusters.count('health@m2')).toBeGreaterThanOrEqual(4);
    await app.stop();
  });

  it('recovers within one interval when a node is back', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    const refused = err(failure('unreachable', 'refused'));
    await clock.advance(6000);
    for (const name of ['health', 'lists']) fakeClusters.set(name, 'm3', refused);
    await clock.advance(600_000);
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m3"} 0');
    expect(await metrics()).toMatch(/interval_seconds\{cluster_name="prod",node="m3",collector="lists"\} 40/);
    for (const name of ['health', 'lists']) fakeClusters.set(name, 'm3', ok(7));
    await clock.advance(5000);
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m3"} 1');
    expect(await metrics()).toContain('graphdb_listed{cluster_name="prod",node="m3"} 7');
    expect(await metrics()).toMatch(/interval_seconds\{cluster_name="prod",node="m3",collector="lists"\} 5/);
    await app.stop();
  });

  it('polls another node for cluster-scoped facts after a failure, and keeps it', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    await clock.advance(2000);
    fakeClusters.set('load', 'm1', err(failure('status', 'no')));
    fakeClusters.set('load', 'm2', ok(5));
    await clock.advance(10_000);
    expect(await metrics()).toContain('graphdb_load{cluster_name="prod"} 5');
    fakeClusters.set('load', 'm1', ok(9));
    await clock.advance(60_000);
    expect(await metrics()).toContain('graphdb_load{cluster_name="prod"} 5');
    expect(fakeClusters.count('load@m3')).toBe(0);
    await app.stop();
  });

  it('leaves no timer, socket or poll loop after it stops', async () => {
    const { app, clock, fakeClusters } = await started();
    await clock.advance(7000);
    const requested = fakeClusters.polled.length;
    await app.stop();
    await app.stop();
    expect(clock.sleeping).toBe(0);
    const opened = fakeClusters.connections.filter((event) => event.startsWith('open'));
    const closed = fakeClusters.connections.filter((event) => event.startsWith('close'));
    expect(new Set(closed.map((event) => event.slice(6)))).toEqual(new Set(opened.map((event) => event.slice(5))));
    await clock.advance(60_000);
    expect(fakeClusters.polled.length).toBe(requested);
  });

  it('stops while a node hangs and another ignores the abort', async () => {
    const bed = testbed();
    bed.fakeClusters.set('health', 'm1', 'hangs');
    bed.fakeClusters.set('health', 'm2', 'ignores its abort');
    const { app, clock } = await started(three, bed);
    await clock.advance(2600);
    const stopping = app.stop();
    await clock.advance(300);
    await stopping;
    expect(clock.sleeping).toBe(0);
  });

  it('does not affect another application in the same process', async () => {
    const one = await started();
    const other = await started(configOf([clusterOf('test', ['t1'])]));
    await one.clock.advance(3000);
    await other.clock.advance(3000);
    expect(await one.metrics()).not.toContain('"test"');
    expect(await other.metrics()).not.toContain('"prod"');
    await one.app.stop();
    await other.clock.advance(10_000);
    expect(other.fakeClusters.count('health@t1')).toBeGreaterThan(1);
    await other.app.stop();
  });

  it('does not poll collectors outside of its scope', async () => {
    const node = await started({ ...three, scope: 'node' });
    const cluster = await started({ ...three, scope: 'cluster' });
    await node.clock.advance(3000);
    await cluster.clock.advance(3000);
    expect(new Set(node.fakeClusters.polled.map((one) => one.split('@')[0]))).toEqual(new Set(['health', 'lists']));
    expect(new Set(cluster.fakeClusters.polled.map((one) => one.split('@')[0]))).toEqual(new Set(['load', 'backup']));
    await Promise.all([node.app.stop(), cluster.app.stop()]);
  });

  it('exposes a fact of two collectors once, and falls back to the second collector', async () => {
    const { app, clock, metrics, fakeClusters } = await started();
    await clock.advance(3000);
    expect(await metrics()).toContain('graphdb_load{cluster_name="prod"} 1\n');
    expect(await metrics()).toContain('graphdb_collected{cluster_name="prod"} 1\n');
    for (const node of ['m1', 'm2', 'm3']) fakeClusters.set('load', node, err(failure('unsupported', 'no such page')));
    await clock.advance(10_000);
    expect(await metrics()).toContain('graphdb_load{cluster_name="prod"} 101\n');
    for (const node of ['m1', 'm2', 'm3']) fakeClusters.set('load', node, ok(3));
    await clock.advance(10_000);
    expect(await metrics()).toContain('graphdb_load{cluster_name="prod"} 3\n');
    expect(await metrics()).not.toContain('graphdb_load{cluster_name="prod"} 101\n');
    await app.stop();
  });

  it('logs a failure once, its change once, and the recovery once', async () => {
    const { app, clock, log, fakeClusters } = await started();
    await clock.advance(6000);
    fakeClusters.set('lists', 'm1', err(failure('auth', 'refused', { status: 403 })));
    await clock.advance(30_000);
    fakeClusters.set('lists', 'm1', err(failure('status', 'broken', { status: 500 })));
    await clock.advance(30_000);
    fakeClusters.set('lists', 'm1', ok(1));
    await clock.advance(60_000);
    const about = log.lines.filter((line) => line.fields.collector === 'lists' && line.level !== 'debug');
    expect(about.map((line) => [line.level, line.message, line.fields.reason])).toEqual([
      ['warn', 'collector failed', 'auth'],
      ['warn', 'collector failed', 'status'],
      ['info', 'collector recovered', undefined],
    ]);
    await app.stop();
  });

  it('survives a collector with a bug, and logs it', async () => {
    const bed = testbed();
    bed.fakeClusters.set('lists', 'm1', 'throws');
    const { app, clock, log, metrics } = await started(three, bed);
    await clock.advance(2000);
    expect(await metrics()).toContain('collector="lists",reason="body"} 1');
    expect(log.lines.some((line) => line.level === 'error' && line.message === 'collector threw an exception')).toBe(
      true,
    );
    await app.stop();
  });

  it('runs checks by calendar and keeps their last verdict', async () => {
    const check = settingsOf(fakeCollectors(new FakeClusters())[4] ?? expect.fail(), { enabled: true });
    const { app, clock, cron, metrics, ready, fakeClusters } = await started({
      ...three,
      collectors: { ...three.collectors, check },
    });
    await clock.advance(10_000);
    expect(await ready()).toBe(200);
    expect(cron.entries.map((entry) => entry.expression)).toEqual(['0 3 * * SUN']);
    expect(fakeClusters.count('check@m1')).toBe(0);
    cron.entries[0]?.run();
    await clock.advance(10);
    expect(await metrics()).toMatch(/graphdb_check_passed\{cluster_name="prod",check="data_consistency".*\} 1/);
    for (const node of ['m1', 'm2', 'm3']) fakeClusters.set('check', node, err(failure('timeout', 'too slow')));
    cron.entries[0]?.run();
    await clock.advance(10);
    expect(await metrics()).toMatch(/graphdb_check_passed\{cluster_name="prod",check="data_consistency".*\} 1/);
    expect(await metrics()).toContain('collector="check",reason="timeout"} 1');
    await app.stop();
    expect(cron.entries).toEqual([]);
  });

  it('shows when tokens expire', async () => {
    const bed = testbed();
    bed.fakeClusters.tokenExpiresAt = 1_800_000_000;
    const { app, metrics } = await started(three, bed);
    expect(await metrics()).toContain(
      'graphwarden_token_expiration_timestamp_seconds{cluster_name="prod",node="m1"} 1800000000',
    );
    await app.stop();
  });
});

describe('the audit of an application', () => {
  it('has the start, and silences with their authors', async () => {
    const { app } = await started();
    const requested = { matchers: ['severity="warning"'], author: 'alice', reason: 'new disks', duration: '2h' };
    const text = async () => JSON.stringify(requested);
    const silence = JSON.parse((await sendRequest(app.handler, '/api/v1/silences', { method: 'POST', text })).body);
    await sendRequest(app.handler, `/api/v1/silences/${silence.id}`, { method: 'DELETE' });
    const { items } = JSON.parse((await sendRequest(app.handler, '/api/v1/guard/audit')).body);
    expect(items).toHaveLength(3);
    expect(items).toContainEqual(expect.objectContaining({ action: 'start', by: 'graphwarden' }));
    expect(items).toContainEqual(expect.objectContaining({ action: 'unsilence', subject: silence.id }));
    expect(items).toContainEqual(expect.objectContaining({ action: 'silence', reason: 'new disks' }));
    await app.stop();
  });
});

describe('the guard of an application', () => {
  const guard = guardOf({ policies: [runaway] });

  it('receives query lists, evaluates them at each tick, and applies configuration changes', async () => {
    const bed = testbed();
    const begun = bed.ports.clock.now().wall - epoch;
    const lists: Collector = {
      ...(bed.parts.collectors.find(({ name }) => name === 'lists') ?? expect.fail()),
      poll: async () => ok(0),
      processList: () => {
        const now = bed.ports.clock.now();
        const body = { error: false, results: [entryAt(now.wall - epoch, begun)] };
        return { body, address: '10.0.0.1:14240', connection: 'c1', started: now, received: now };
      },
    };
    const collectors = [...bed.parts.collectors.filter(({ name }) => name !== 'lists'), lists];
    const { app, clock, metrics } = await started({ ...three, guard }, { ...bed, parts: { ...bed.parts, collectors } });
    await clock.advance(10_000);
    const matches = 'graphwarden_guard_matches_total{cluster_name="prod",policy="runaway",node="m1"}';
    expect(await metrics()).toContain(`${matches} 0`);
    await clock.advance(2000);
    expect(await metrics()).toContain(`${matches} 1`);
    await app.reconfigure(three);
    expect(await metrics()).not.toContain('graphwarden_guard_m');
    await app.stop();
  });
});
