import { describe, expect, it } from 'vitest';
import { probeTimeout } from '../../../src/app/api/probe-route.ts';
import { assembleApp } from '../../../src/app/assemble.ts';
import type { Config } from '../../../src/config/config.ts';
import { failure } from '../../../src/kernel/failure.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { Sample } from '../../../src/metric/metric.ts';
import { clusterOf, configOf, sendRequest, type TestReply, testbed } from '../fakes.ts';

const config = configOf([clusterOf('prod', ['m1', 'm2'], { labels: { env: 'test' } })]);

async function setUp(over: Config = config) {
  const bed = testbed();
  const app = assembleApp(over, bed.ports, bed.parts);
  await app.start();
  const probe = (query: string, more: Partial<IncomingRequest> = {}): Promise<TestReply> =>
    sendRequest(app.handler, `/probe?${query}`, more);
  const end = async (): Promise<void> => {
    const stopping = app.stop();
    await bed.clock.advance(1000);
    await stopping;
    expect(bed.clock.sleeping).toBe(0);
  };
  return { ...bed, app, probe, end };
}

/** A sample that no page can render: a bug in a collector. */
const odd: Sample = {
  get metric(): never {
    throw new Error('a bug in the mapping');
  },
  labels: {},
  value: 1,
};

const inSeconds = (seconds: string) => ({ headers: { 'x-prometheus-scrape-timeout-seconds': seconds } });

describe('a probe of a cluster', () => {
  it('polls at once, and returns all samples of the cluster without self-monitoring metrics', async () => {
    const { probe, fakeClusters, end } = await setUp();
    const { status, body, headers } = await probe('target=prod');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('version=0.0.4');
    expect(fakeClusters.polled.toSorted()).toEqual([
      'backup@m1',
      'health@m1',
      'health@m2',
      'lists@m1',
      'lists@m2',
      'load@m1',
    ]);
    expect(body).toContain('graphdb_up{cluster_name="prod",env="test",node="m1"} 1');
    expect(body).toContain('graphdb_up{cluster_name="prod",env="test",node="m2"} 1');
    expect(body).toContain('graphdb_load{cluster_name="prod",env="test"} 1\n');
    expect(body).not.toContain('graphdb_load{cluster_name="prod",env="test"} 101');
    expect(body).toContain('graphdb_collected{cluster_name="prod",env="test"} 1');
    expect(body).toContain('probe_success 1\n');
    expect(body).toContain('probe_duration_seconds 0\n');
    expect(body).not.toContain('graphwarden_');
    expect(body).not.toContain('process_test');
    await end();
  });

  it('does not change the metrics page and the state of collectors', async () => {
    const { app, probe, fakeClusters, end } = await setUp();
    fakeClusters.set('lists', 'm1', ok(42));
    await probe('target=prod');
    expect((await sendRequest(app.handler, '/metrics')).body).not.toContain('graphdb_up{');
    const { body } = await sendRequest(app.handler, '/api/v1/collectors');
    expect(JSON.parse(body).items.every((item: { state: string }) => item.state === 'unknown')).toBe(true);
    await end();
  });

  it('polls the next node for cluster facts', async () => {
    const { probe, fakeClusters, end } = await setUp();
    fakeClusters.set('load', 'm1', err(failure('status', 'no')));
    fakeClusters.set('load', 'm2', ok(8));
    const { body } = await probe('target=prod&collector=load');
    expect(body).toContain('graphdb_load{cluster_name="prod",env="test"} 8');
    expect(body).toContain('probe_success 1');
    await end();
  });

  it('returns 200 with probe_success 0 and the failed collectors', async () => {
    const { probe, fakeClusters, end } = await setUp();
    fakeClusters.set('health', 'm2', err(failure('unreachable', 'refused')));
    const { status, body } = await probe('target=prod');
    expect(status).toBe(200);
    expect(body).toContain('probe_success 0');
    expect(body).toContain('graphdb_up{cluster_name="prod",env="test",node="m2"} 0');
    expect(body).toContain('probe_collector_success{collector="health",node="m2"} 0');
    expect(body).toContain('probe_collector_success{collector="health",node="m1"} 1');
    await end();
  });

  it('reports a collector whose result cannot be rendered, and renders the others', async () => {
    const bed = testbed();
    const broken = bed.parts.collectors.map((one) => (one.name === 'lists' ? { ...one, samples: () => [odd] } : one));
    const app = assembleApp(config, bed.ports, { ...bed.parts, collectors: broken });
    await app.start();
    const { status, body } = await sendRequest(app.handler, '/probe?target=prod/m1');
    expect(status).toBe(200);
    expect(body).toContain('probe_collector_success{collector="lists",node="m1"} 0');
    expect(body).toContain('graphdb_up{cluster_name="prod",env="test",node="m1"} 1');
    await app.stop();
  });

  it('fails without a known node', async () => {
    const { probe, end } = await setUp(configOf([clusterOf('prod', [])]));
    expect((await probe('target=prod')).body).toContain('probe_success 0');
    await end();
  });

  it('returns OpenMetrics on request', async () => {
    const { probe, end } = await setUp();
    const { headers, body } = await probe('target=prod', {
      headers: { accept: 'application/openmetrics-text; version=1.0.0' },
    });
    expect(headers['content-type']).toContain('application/openmetrics-text');
    expect(body.endsWith('# EOF\n')).toBe(true);
    await end();
  });
});

describe('a probe of a node', () => {
  it('polls the collectors of the node', async () => {
    const { probe, fakeClusters, end } = await setUp();
    const { body } = await probe('target=prod/m2');
    expect(fakeClusters.polled).toEqual(['health@m2', 'lists@m2']);
    expect(body).toContain('probe_success 1');
    await end();
  });

  it('polls only this node, even for cluster-scoped facts', async () => {
    const { probe, fakeClusters, end } = await setUp();
    fakeClusters.set('load', 'm2', err(failure('unsupported', 'no')));
    const { body } = await probe('target=prod/m2&collector=load,health&collector=load');
    expect(fakeClusters.polled).toEqual(['load@m2', 'health@m2']);
    expect(body).toContain('probe_collector_success{collector="load",node="m2"} 0');
    expect(body).toContain('probe_success 0');
    await end();
  });
});

describe('an invalid probe request', () => {
  it.each([
    ['', "'target' is missing"],
    ['target=', "'target' is missing"],
    ['target=other', 'not a configured'],
    ['target=prod/m9', 'not a configured'],
    ['target=http://10.0.0.1:14240', 'not a configured'],
    ['target=prod&collector=nothing', "'nothing' does not exist"],
    ['target=prod&collector=', "'' does not exist"],
    ['target=prod&collector=constructor', "'constructor' does not exist"],
    ['target=prod&collector=check', 'not enabled'],
  ])('%j is refused', async (query, detail) => {
    const { probe, fakeClusters, end } = await setUp();
    const { status, body } = await probe(query);
    expect(status).toBe(400);
    expect(JSON.parse(body).detail).toContain(detail);
    expect(fakeClusters.polled).toEqual([]);
    await end();
  });

  it('may name a disabled collector, unless it is heavy', async () => {
    const lists = { ...(config.collectors.lists ?? expect.fail()), enabled: false };
    const { probe, end } = await setUp({ ...config, collectors: { ...config.collectors, lists } });
    expect((await probe('target=prod&collector=lists')).body).toContain('graphdb_listed{');
    await end();
  });
});

describe('the deadline', () => {
  it.each([
    [undefined, 9500],
    ['10', 9500],
    ['2.5', 2000],
    ['0.2', 100],
    ['0', 9500],
    ['-3', 9500],
    ['soon', 9500],
    ['Infinity', 9500],
  ])('for the header %j is %i ms', (header, expected) => {
    expect(probeTimeout(header)).toBe(expected);
  });

  it('is met when a node hangs, with the samples of the other nodes', async () => {
    const { clock, probe, fakeClusters, end } = await setUp();
    fakeClusters.set('lists', 'm1', 'hangs');
    fakeClusters.set('health', 'm1', 'ignores its abort');
    const answer = probe('target=prod', inSeconds('1.5'));
    await clock.advance(999);
    let isOver = false;
    void answer.then(() => (isOver = true));
    await clock.settle();
    expect(isOver).toBe(false);
    await clock.advance(1);
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body).toContain('graphdb_listed{cluster_name="prod",env="test",node="m2"} 1');
    expect(body).toContain('graphdb_up{cluster_name="prod",env="test",node="m1"} 0');
    expect(body).toContain('probe_success 0');
    expect(body).toContain('probe_duration_seconds 1\n');
    await end();
  });

  it('aborts a heavy check when the request has timed out', async () => {
    const check = { ...(config.collectors.check ?? expect.fail()), enabled: true };
    const { clock, probe, fakeClusters, end } = await setUp({ ...config, collectors: { ...config.collectors, check } });
    fakeClusters.set('check', 'm1', 'hangs');
    for (let times = 1; times <= 2; times += 1) {
      const answer = probe('target=prod/m1&collector=check', inSeconds('1.5'));
      await clock.advance(1000);
      expect((await answer).body).toContain('probe_collector_success{collector="check",node="m1"} 0');
      expect(fakeClusters.count('check@m1')).toBe(times);
    }
    await end();
  });

  it('does not shorten the scheduled poll that it shares', async () => {
    const { app, clock, probe, fakeClusters, end } = await setUp();
    fakeClusters.set('health', 'm1', 'hangs');
    void probe('target=prod/m1', inSeconds('0.7'));
    await clock.advance(1000);
    expect(fakeClusters.count('health@m1')).toBe(1);
    fakeClusters.set('health', 'm1', ok(1));
    await clock.advance(2000);
    expect((await sendRequest(app.handler, '/metrics')).body).toContain(
      'node="m1",collector="health",reason="timeout"} 1',
    );
    await end();
  });
});

describe('concurrent probes', () => {
  it('share one request with each other and with the poll loop', async () => {
    const { clock, probe, fakeClusters, end } = await setUp();
    fakeClusters.set('health', 'm1', 'hangs');
    const answers = Array.from({ length: 1000 }, () => probe('target=prod/m1', inSeconds('4')));
    const others = Array.from({ length: 10 }, () => probe('target=prod/m1&collector=health', inSeconds('3')));
    await clock.advance(1500);
    expect(fakeClusters.count('health@m1')).toBe(1);
    await clock.advance(3000);
    const all = await Promise.all([...answers, ...others]);
    expect(all.every(({ status, body }) => status === 200 && body.includes('probe_success 0'))).toBe(true);
    await end();
  });

  it('send another request after the last one has ended', async () => {
    const { probe, fakeClusters, end } = await setUp();
    await probe('target=prod/m1');
    await probe('target=prod/m1');
    expect(fakeClusters.count('health@m1')).toBe(2);
    await end();
  });
});
