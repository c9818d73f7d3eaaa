import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { listen } from '../support/reusable-port.ts';

/** Short enough to wait for, and long enough for an answer on a busy machine. */
const often = { interval: '2s', timeout: '1900ms' };
/** Longer than a poll of a node that hangs may take. */
const deadline = 20;
/** Long enough for an answer however busy the machine is. */
const seldom = { interval: '1m', timeout: '1m' };
const nodes = ['m1', 'm2', 'm3'];

type Shown = Awaited<ReturnType<InProcessDaemon['page']>>;

function up(page: Shown, node: string): number | undefined {
  return page.value('graphdb_up', { node });
}

describe('the application over a simulated cluster', () => {
  let simulator: Simulator;
  let daemon: InProcessDaemon;

  beforeEach(async () => {
    simulator = await startSimulator({}, { listen, clock: systemClock });
    daemon = await startWith(often);
  });

  afterEach(async () => {
    await daemon.stop();
    await simulator.close();
  });

  async function startWith(timing: typeof often): Promise<InProcessDaemon> {
    const members = simulator.nodes.map(({ name, url }) => ({ name, url }));
    const polled = collectors
      .filter(({ defaults }) => defaults.schedule === undefined)
      .map(({ name }) => [name, timing]);
    return startInProcessDaemon({
      clusters: [{ name: 'prod', nodes: members }],
      collectors: Object.fromEntries(polled),
    });
  }

  /** The page once it shows what is expected. */
  async function untilShown(what: string, isShown: (page: Shown) => boolean): Promise<Shown> {
    return eventually(what, async () => {
      const page = await daemon.page();
      return isShown(page) && page;
    });
  }

  /** Returns how many health polls of a node have failed. */
  async function failures(node: string): Promise<number> {
    const { families } = await daemon.page();
    const samples = families.get('graphwarden_collector_failures_total')?.samples ?? [];
    const own = samples.filter(({ labels }) => labels.collector === 'health' && labels.node === node);
    return own.reduce((sum, { value }) => sum + value, 0);
  }

  /** Returns how many health polls of a node were answered in time at most: on a busy machine, some answers are late. */
  async function goodPolls(node: string): Promise<number> {
    const answered = simulator.calls().filter((call) => call.node === node && call.path === '/api/ping');
    return answered.filter(({ status }) => status === 200).length - (await failures(node));
  }

  it('shows every node, and no failures', async () => {
    await daemon.stop();
    daemon = await startWith(seldom);
    const page = await daemon.page();
    expect(nodes.map((node) => up(page, node))).toEqual([1, 1, 1]);
    const failing = (page.families.get('graphwarden_collector_success')?.samples ?? []).filter(
      (one) => one.value !== 1,
    );
    expect(failing).toEqual([]);
    expect(page.text).toContain('svc_service_status');
    const complaints = daemon.log.filter(({ level }) => level === 'warn' || level === 'error');
    expect(complaints).toMatchObject([{ message: 'no receivers configured, no notifications are sent' }]);
  });

  it('shows the outage of a node, and its recovery with the first successful poll', async () => {
    await simulator.control.stopNode('m2');
    await untilShown('m2 is down', (page) => up(page, 'm2') === 0);
    await untilShown('its queries are gone', (page) => {
      const running = page.value('graphdb_queries_running', { node: 'm2', graph: 'fraud' });
      return running === undefined && up(page, 'm1') === 1 && up(page, 'm3') === 1;
    });
    await simulator.control.startNode('m2');
    const good = await goodPolls('m2');
    await untilShown('m2 is back', (now) => up(now, 'm2') === 1);
    // The next one may have been answered already.
    expect((await goodPolls('m2')) - good).toBeLessThanOrEqual(2);
  });

  it('does not delay other nodes when one hangs, and recovers with the first successful poll', async () => {
    const heal = await simulator.control.injectFault('hang_before_body', { node: 'm1' });
    await untilShown('m1 is down', (page) => up(page, 'm1') === 0);
    const before = simulator.calls().length;
    const scrapes = await Promise.all(Array.from({ length: 100 }, () => send(`${daemon.url}/metrics`)));
    expect(scrapes.every(({ status }) => status === 200)).toBe(true);
    await untilShown('another node gives the facts of the cluster', (page) => {
      const success = page.value('graphwarden_collector_success', { node: '', collector: 'services' });
      return success === 1 && page.value('graphwarden_collector_success', { node: '', collector: 'metrics' }) === 1;
    });
    await eventually('polls go on', () => Promise.resolve(simulator.calls().length > before));
    expect((await daemon.page()).value('graphwarden_node_sockets', { node: 'm1' })).toBeLessThanOrEqual(4);
    await heal();
    const good = await goodPolls('m1');
    await untilShown('m1 is back', (page) => up(page, 'm1') === 1);
    expect((await goodPolls('m1')) - good).toBeLessThanOrEqual(2);
  });

  it('answers probes within their deadline while a node hangs', async () => {
    const heal = await simulator.control.injectFault('hang_before_body', { node: 'm3' });
    const started = systemClock.now().mono;
    const headers = { 'x-prometheus-scrape-timeout-seconds': String(deadline) };
    const probes = await Promise.all(
      Array.from({ length: 50 }, () => send(`${daemon.url}/probe?target=prod`, { headers })),
    );
    expect(systemClock.now().mono - started).toBeLessThan(deadline * 1000);
    for (const { status, text } of probes) {
      expect(status).toBe(200);
      expect(text).toContain('probe_success 0');
      expect(text).toContain('graphdb_up{cluster_name="prod",node="m1"} 1');
    }
    await heal();
  });
});
