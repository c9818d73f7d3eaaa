import { describe, expect, it } from 'vitest';
import { assembleApp } from '../../../src/app/assemble.ts';
import { discover, lookUp } from '../../../src/app/poll/discovery.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { Dns, SrvRecord } from '../../../src/kernel/system.ts';
import type { DiscoverSettings, NodeSettings } from '../../../src/model/settings.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const srv: DiscoverSettings = { kind: 'srv', name: '_nginx._tcp.db.svc', refreshInterval: 30_000, scheme: 'http' };
const plain: DiscoverSettings = { kind: 'dns', name: 'db.svc', port: 14240, refreshInterval: 30_000, scheme: 'https' };

/** Answers look-ups from a script, and fails on one that was not expected. */
class FakeDns implements Dns {
  records: Result<readonly SrvRecord[], string> | 'hangs' = err('no SRV look-up was expected');
  hosts: Result<readonly string[], string> = err('no address look-up was expected');
  readonly lookups: string[] = [];

  async srv(name: string): Promise<Result<readonly SrvRecord[], string>> {
    this.lookups.push(name);
    return this.records === 'hangs' ? new Promise(() => undefined) : this.records;
  }

  async addresses(name: string): Promise<Result<readonly string[], string>> {
    this.lookups.push(name);
    return this.hosts;
  }
}

function record(name: string, port = 14240): SrvRecord {
  return { name, port };
}

describe('a look-up', () => {
  it('of services names a node after the first label of its target, in a steady order', async () => {
    const dns = new FakeDns();
    dns.records = ok([record('graph-1.internal.db.svc.'), record('graph-0.internal.db.svc', 9000)]);
    expect(await lookUp(srv, dns)).toEqual(
      ok([
        { name: 'graph-0', url: 'http://graph-0.internal.db.svc:9000' },
        { name: 'graph-1', url: 'http://graph-1.internal.db.svc:14240' },
      ]),
    );
    expect(dns.lookups).toEqual(['_nginx._tcp.db.svc']);
  });

  it('distinguishes targets with the same first label', async () => {
    const dns = new FakeDns();
    dns.records = ok([record('m1.east'), record('m1.west'), record('m2.east')]);
    const found = await lookUp(srv, dns);
    expect(found.ok && found.value.map((node) => node.name)).toEqual(['m1.east:14240', 'm1.west:14240', 'm2']);
  });

  it('of addresses names a node after its address', async () => {
    const dns = new FakeDns();
    dns.hosts = ok(['10.0.0.2', '10.0.0.1', '10.0.0.2', 'fd00::1']);
    expect(await lookUp(plain, dns)).toEqual(
      ok([
        { name: '10.0.0.1', url: 'https://10.0.0.1:14240' },
        { name: '10.0.0.2', url: 'https://10.0.0.2:14240' },
        { name: 'fd00::1', url: 'https://[fd00::1]:14240' },
      ]),
    );
  });

  it.each([
    ['a space', 'm 1.db'],
    ['another port', 'm1.db:80'],
    ['a user', 'root@m1.db'],
    ['a path', 'm1.db\\evil'],
    ['a number that is no address', '1.2.3.4.5'],
    ['dots alone', '..'],
  ])('with an invalid host (%s) is a failure', async (_, name) => {
    const dns = new FakeDns();
    dns.records = ok([record('m1.db'), record(name)]);
    expect(await lookUp(srv, dns)).toEqual(err("'_nginx._tcp.db.svc' resolves to an invalid host name"));
  });

  it('with the root as its target reports that the service does not exist', async () => {
    const dns = new FakeDns();
    dns.records = ok([record('.', 0)]);
    expect(await lookUp(srv, dns)).toEqual(err("'_nginx._tcp.db.svc' resolves to no address"));
  });

  it('with an empty result is a failure', async () => {
    const dns = new FakeDns();
    dns.records = ok([]);
    expect(await lookUp(srv, dns)).toEqual(err("'_nginx._tcp.db.svc' resolves to no address"));
    dns.hosts = err('no such name');
    expect(await lookUp(plain, dns)).toEqual(err('no such name'));
  });
});

describe('discovering', () => {
  function setUp(dns = new FakeDns()) {
    const clock = new FakeClock();
    const log = recordingLogger();
    const seen: (readonly NodeSettings[])[] = [];
    const discovery = discover(srv, { clock, dns, log, onNodes: async (nodes) => void seen.push(nodes) });
    return { clock, dns, log, seen, discovery };
  }

  it('looks up immediately and then at its interval, until it is stopped', async () => {
    const dns = new FakeDns();
    dns.records = ok([record('m1.db')]);
    const { clock, seen, discovery } = setUp(dns);
    await discovery.firstRound;
    expect(seen).toHaveLength(1);
    await clock.advance(60_000);
    expect(dns.lookups).toHaveLength(3);
    discovery.stop();
    await clock.advance(60_000);
    expect(dns.lookups).toHaveLength(3);
    expect(clock.sleeping).toBe(0);
  });

  it('logs a failure once, and the recovery once', async () => {
    const { clock, dns, log, seen } = setUp();
    dns.records = err('SERVFAIL');
    await clock.advance(90_000);
    dns.records = ok([record('m1.db')]);
    await clock.advance(60_000);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'discovery failed'],
      ['warn', 'discovery failed'],
      ['info', 'discovery recovered'],
    ]);
    expect(log.lines.map(({ fields }) => fields.error)).toEqual(['no SRV look-up was expected', 'SERVFAIL', undefined]);
    expect(seen).toHaveLength(2);
  });

  it('times out on a resolver that does not answer, and retries', async () => {
    const dns = new FakeDns();
    dns.records = 'hangs';
    const { clock, log, discovery } = setUp(dns);
    await clock.advance(10_000);
    await discovery.firstRound;
    expect(log.lines[0]?.fields.error).toBe('the name server did not respond in time');
    await clock.advance(30_000);
    expect(dns.lookups).toHaveLength(2);
    discovery.stop();
  });

  it('does not wait for a resolver once it is stopped', async () => {
    const dns = new FakeDns();
    dns.records = 'hangs';
    const { clock, log, seen, discovery } = setUp(dns);
    await clock.advance(1000);
    discovery.stop();
    await discovery.firstRound;
    await clock.settle();
    expect(clock.sleeping).toBe(0);
    expect([seen, log.lines]).toEqual([[], []]);
  });

  it('ignores an answer after the stop', async () => {
    const { seen, discovery, clock } = setUp();
    discovery.stop();
    await discovery.firstRound;
    await clock.settle();
    expect(seen).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });
});

describe('a cluster that is discovered', () => {
  async function setUp(by: DiscoverSettings = srv) {
    const dns = new FakeDns();
    dns.records = ok([record('m1.db'), record('m2.db')]);
    dns.hosts = ok(['10.0.0.1', '10.0.0.2']);
    const bed = testbed({ dns });
    const cluster = clusterOf('prod', [], { discover: by });
    const app = assembleApp(configOf([cluster]), bed.ports, bed.parts);
    const metrics = async (): Promise<string> => (await sendRequest(app.handler, '/metrics')).body;
    const ready = async (): Promise<number> => (await sendRequest(app.handler, '/-/ready')).status;
    return { ...bed, dns, cluster, app, metrics, ready };
  }

  it('has series that follow its nodes', async () => {
    const { app, clock, dns, metrics, fakeClusters } = await setUp();
    await app.start();
    await clock.advance(3000);
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m2"} 1');
    dns.records = ok([record('m3.db'), record('m1.db')]);
    await clock.advance(33_000);
    // SRV records may omit a node that has failed, so its polls continue for a day.
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m2"} 1');
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m3"} 1');
    expect(await metrics()).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 3');
    expect(fakeClusters.connections.filter((event) => event.endsWith('/m1'))).toEqual(['open prod/m1']);
    await app.stop();
    expect(clock.sleeping).toBe(0);
  });

  it('has no series of a removed address', async () => {
    const { app, clock, dns, metrics, fakeClusters } = await setUp(plain);
    await app.start();
    await clock.advance(3000);
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="10.0.0.2"} 1');
    dns.hosts = ok(['10.0.0.3', '10.0.0.1']);
    await clock.advance(33_000);
    expect(await metrics()).not.toContain('node="10.0.0.2"');
    expect(await metrics()).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 2');
    expect(fakeClusters.connections).toContain('close prod/10.0.0.2');
    await app.stop();
  });

  it('keeps its nodes while discovery fails', async () => {
    const { app, clock, dns, metrics } = await setUp();
    await app.start();
    await clock.advance(3000);
    dns.records = err('SERVFAIL');
    await clock.advance(300_000);
    dns.records = ok([]);
    await clock.advance(300_000);
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m2"} 1');
    await app.stop();
  });

  it('keeps its nodes when discovery is changed while it fails', async () => {
    const { app, clock, cluster, dns, metrics } = await setUp();
    await app.start();
    await clock.advance(3000);
    dns.records = err('SERVFAIL');
    await app.reconfigure(configOf([{ ...cluster, discover: { ...srv, refreshInterval: 60_000 } }]));
    await clock.advance(10_000);
    expect(await metrics()).toContain('graphdb_up{cluster_name="prod",node="m2"} 1');
    expect(await metrics()).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 2');
    dns.records = ok([record('m3.db')]);
    await clock.advance(60_000);
    expect(await metrics()).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 1');
    await app.stop();
  });

  it('remains unknown if a reload ended the first look-up', async () => {
    const { app, clock, cluster, dns, ready } = await setUp();
    dns.records = 'hangs';
    await app.start();
    await clock.advance(1000);
    await app.reconfigure(configOf([{ ...cluster, discover: { ...srv, name: '_other._tcp.db.svc' } }]));
    await clock.advance(3000);
    expect(await ready()).toBe(503);
    await clock.advance(10_000);
    expect(await ready()).toBe(200);
    await app.stop();
  });

  it('is ready and reports the problem although no node was found', async () => {
    const { app, clock, dns, metrics, ready } = await setUp();
    dns.records = err('SERVFAIL');
    await app.start();
    await clock.advance(3000);
    expect(await ready()).toBe(200);
    expect(await metrics()).toContain('collector="load",reason="unreachable"} ');
    expect(await metrics()).toContain('graphwarden_cluster_nodes{cluster_name="prod"} 0');
    await app.stop();
  });

  it('is not ready before the first answer', async () => {
    const { app, clock, dns, ready } = await setUp();
    dns.records = 'hangs';
    await app.start();
    await clock.advance(9000);
    expect(await ready()).toBe(503);
    await clock.advance(4000);
    expect(await ready()).toBe(200);
    await app.stop();
    expect(clock.sleeping).toBe(0);
  });

  it('is not resolved again when other settings change', async () => {
    const { app, clock, cluster, dns, fakeClusters } = await setUp();
    await app.start();
    await clock.advance(3000);
    await app.reconfigure(configOf([structuredClone(cluster), clusterOf('test', ['t1'])]));
    await clock.advance(1000);
    expect(dns.lookups).toHaveLength(1);
    expect(fakeClusters.connections.filter((event) => event.includes('prod'))).toHaveLength(3);
    await app.reconfigure(configOf([{ ...cluster, discover: { ...srv, name: '_other._tcp.db.svc' } }]));
    await clock.advance(1000);
    expect(dns.lookups).toEqual(['_nginx._tcp.db.svc', '_other._tcp.db.svc']);
    await app.stop();
  });
});
