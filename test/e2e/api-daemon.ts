import { request } from 'undici';
import { z } from 'zod';
import type { AppPorts } from '../../src/app/ports/app-ports.ts';
import { historyTimeout } from '../../src/kernel/store.ts';
import type { Clock, Instant, Millis } from '../../src/kernel/time.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { ApiChecker } from '../support/api-checker.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';

const often = { interval: '1s', timeout: '1s' };
/** An abort needs a list that arrived in time, also on a busy machine. */
const lists = { interval: '5s', timeout: '5s' };
const policy = { name: 'runaway', when: { age: '> 1h', granted_timeout: '> 2h' } };
const incidents = z.object({ items: z.array(z.object({ incident: z.string(), phase: z.string(), rule: z.string() })) });

/** Daemon over a simulated cluster `prod`, whose answers are checked. */
export interface ApiDaemon {
  readonly simulator: Simulator;
  readonly daemon: InProcessDaemon;
  readonly api: ApiChecker;
  /** ID of a query that runs on node `m1`. */
  readonly query: string;
  stop(): Promise<void>;
}

/** Starts a daemon that observes, with two policies, and whose incidents begin and end with a service. */
export async function startApiDaemon(world: Partial<AppPorts> = {}): Promise<ApiDaemon> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  const [first, second] = simulator.nodes;
  if (first === undefined || second === undefined) throw new Error('no nodes');
  const order = { graph: 'fraud', runsFor: 300_000, timeout: 600_000, parameters: '' };
  const query = simulator.control.startQuery({ ...order, node: first.name, query: 'ring_scan' })?.requestId ?? '';
  const nodes = [
    { name: 'm1', url: first.url, instance: first.instance },
    { name: 'm2', url: second.url },
  ];
  const settings = {
    clusters: [{ name: 'prod', nodes }],
    collectors: { queries: lists, services: often, consistency: { enabled: true } },
    probes: [{ name: 'heartbeat', graph: 'fraud', write_heartbeat: {}, interval: '1h', timeout: '5s' }],
    guard: { mode: 'observe', policies: [policy, { ...policy, name: 'other' }] },
    tracker: { confirm: 1 },
    alerts: { rules: { service_not_online: { for: '0s', keep_firing_for: '0s' } } },
  };
  const daemon = await startInProcessDaemon(settings, world);
  return {
    simulator,
    daemon,
    api: await ApiChecker.open(daemon.url),
    query,
    stop: async () => {
      await daemon.stop();
      await simulator.close();
    },
  };
}

/** Takes an engine down, or brings it back, and returns the ID of the incident when it is firing, or resolved. */
export async function incidentOf({ simulator, api }: ApiDaemon, phase: 'firing' | 'resolved'): Promise<string> {
  simulator.control.setService('GPE', '1', '1', phase === 'firing' ? 'Down' : 'Online');
  return eventually(`an incident is ${phase}`, async () => {
    const { items } = incidents.parse(JSON.parse((await api.send('/api/v1/alerts?limit=1000')).text));
    return items.find((one) => one.phase === phase && one.rule === 'service_not_online')?.incident;
  });
}

/** Requests the script of the status page and a file that it does not have, and returns the statuses. */
export async function pageFileStatuses(api: ApiChecker): Promise<readonly number[]> {
  const [, script = ''] = /src="([^"]+)"/.exec((await api.send('/')).text) ?? [];
  return [(await api.send(script)).status, (await api.send('/assets/other.js')).status];
}

/** Sends more probes than are admitted while the nodes hang, and returns the statuses of the answers. */
export async function probeTooOften({ simulator, api }: ApiDaemon): Promise<ReadonlySet<number>> {
  const release = await simulator.control.injectFault('hang_before_headers');
  const headers = { 'x-prometheus-scrape-timeout-seconds': '1' };
  // Equal probes count once.
  const probe = async (at: number): Promise<number> => {
    const target = `/probe?target=prod${'&collector=health'.repeat(at)}`;
    return (await api.send(target, { headers })).status;
  };
  const probes = Array.from({ length: 40 }, (_, at) => probe(at));
  await Promise.race(probes);
  await release();
  return new Set(await Promise.all(probes));
}

/** Opens more event streams than are admitted, and returns the statuses of the answers. */
export async function subscribeTooOften({ daemon, api }: ApiDaemon): Promise<ReadonlySet<number>> {
  const url = `${daemon.url}/api/v1/events`;
  const left = new AbortController();
  const open = async (): Promise<number> => (await request(url, { signal: left.signal })).statusCode;
  const statuses = new Set(await Promise.all(Array.from({ length: 20 }, open)));
  statuses.add((await api.send('/api/v1/events')).status);
  left.abort();
  await eventually('they end', async () => (await send(url, { method: 'HEAD' })).status === 200);
  return statuses;
}

/** Clock of the system that a test can move, and on which reads of the history time out at once. */
export class AdjustedClock implements Clock {
  skipped: Millis = 0;
  readsTimeOut = false;

  now(): Instant {
    const { wall, mono } = systemClock.now();
    return { wall, mono: mono + this.skipped };
  }

  sleep(length: Millis, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(this.readsTimeOut && length === historyTimeout ? 0 : length, signal);
  }

  yieldToEventLoop(): Promise<void> {
    return systemClock.yieldToEventLoop();
  }
}

/** Path of the manual abort of a query. */
export function abort(id: string): string {
  return `/api/v1/clusters/prod/nodes/m1/queries/${encodeURIComponent(id)}/abort`;
}

/** Path of the explanation of a query. */
export function why(id: string): string {
  return `/api/v1/clusters/prod/nodes/m1/queries/${encodeURIComponent(id)}/why`;
}

/** Paths that fail without history. */
export function historyPaths(query: string): readonly string[] {
  const names = ['transitions', 'availability', 'guard/audit', 'notifications'];
  return [...names.map((name) => `/api/v1/${name}`), why(query)];
}

/** Posts JSON, or nothing. */
export function sendJson(
  api: ApiChecker,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  return api.send(target, { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** Statuses of resumes: of all clusters, of one, of one that does not exist, and with a mistyped parameter. */
export async function resumeStatuses(api: ApiChecker): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const query of ['', '?cluster=prod', '?cluster=none', '?name=prod'])
    statuses.push((await sendJson(api, `/api/v1/guard/resume${query}`)).status);
  return statuses;
}
