import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { rules } from '../../src/alert/rules/all.ts';
import type { ReceivedNotification } from '../../src/model/simulated-receiver.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';
import type { ReceiverOptions, SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { checkAnswers } from './api-checker.ts';
import { program as entry } from './build-program.ts';
import { type Child, eventually, startChild } from './child.ts';
import { send } from './http.ts';
import { startInProcessDaemon } from './in-process-daemon.ts';
import { temporaryFolder } from './live-ports.ts';
import { roomForNewObjects } from './program.ts';
import { startSimulatedReceivers } from './simulated-receivers.ts';

const often = { interval: '300ms', timeout: '300ms' };
/** Intervals of the collector `health`: no test depends on it, and each poll sends two requests to each node. */
const seldom = { interval: '5s', timeout: '2s' };
const off = { enabled: false };

/** Receivers and routes in the format of the configuration file. */
export interface AlertsSection {
  readonly receivers: readonly object[];
  readonly routes: readonly object[];
  /** Rules that are enabled in addition, or changed, by name. */
  readonly rules?: Readonly<Record<string, object>>;
}

/** Simulated cluster of two nodes, and the configuration of a daemon that monitors it and can be restarted. */
export interface AlertingCluster {
  readonly simulator: Simulator;
  /** State directory of the daemon. */
  readonly stateDir: string;
  /** Configuration of the daemon, for one that runs in the process of the test. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Waits until a daemon at `url` has a confirmed status of the first engine. */
  untilEngineKnown(url: string): Promise<void>;
  /** Starts the daemon; `around` is a program that runs it, such as a tracer. */
  startDaemon(around?: readonly string[]): Promise<{ readonly url: string; readonly child: Child }>;
  /** Starts the daemon in the process of the test, which takes less time, and returns its URL. */
  startInProcess(): Promise<string>;
  /** Sets the status of the first of the two engines. Down and Online again is one incident. */
  setEngine(status: 'Down' | 'Online'): void;
}

/** Labels of the alert that {@link AlertingCluster.setEngine} causes. */
export const engineAlert = {
  alertname: 'GraphdbServiceNotOnline',
  cluster_name: 'c',
  service_name: 'GPE',
  partition: '1',
  replica: '1',
} as const;

/** Starts the simulated cluster. Only the rule about a service that is not online is enabled, and no alert fires. */
export async function openAlertingCluster(alerts: AlertsSection): Promise<AlertingCluster> {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const folder = await temporaryFolder();
  const file = join(folder, 'graphwarden.yml');
  const settings = settingsOf(simulator, folder, alerts);
  await writeFile(file, stringify(settings));
  return {
    simulator,
    stateDir: join(folder, 'state'),
    settings,
    untilEngineKnown,
    startDaemon: async (around = []) => {
      const [program, ...args] = [...around, process.execPath, ...roomForNewObjects, entry, 'run', '--config', file];
      const child = startChild(program, args, { cwd: folder });
      onTestFinished(async () => void (await child.stop()));
      const reported = (): string | undefined => /"url":"(http:[^"]+?)\/?"/.exec(child.stderr())?.[1];
      const url = await eventually('the daemon logs its address', async () => reported()).catch((error: unknown) => {
        throw new Error(`the daemon said ${child.stderr()}`, { cause: error });
      });
      checkAnswers(url);
      await untilPolled(simulator, url);
      return { url, child };
    },
    startInProcess: async () => {
      const daemon = await startInProcessDaemon(settings);
      onTestFinished(() => daemon.stop());
      await untilPolled(simulator, daemon.url);
      return daemon.url;
    },
    setEngine: (status) => simulator.control.setService('GPE', '1', '1', status),
  };
}

/** Waits until a daemon has polled the statuses twice and knows that of the first engine. */
async function untilPolled(simulator: Simulator, url: string): Promise<void> {
  const from = simulator.calls().length;
  await eventually('it looked twice', async () => statusCalls(simulator, from) >= 2);
  await untilEngineKnown(url);
}

async function untilEngineKnown(url: string): Promise<void> {
  await eventually('the engine is known', async () => {
    const { text } = await send(`${url}/api/v1/services?service=GPE&partition=1&replica=1`);
    return JSON.parse(text).items[0]?.confirmed !== undefined;
  });
}

/** Returns the number of status requests after the first `from` calls. */
function statusCalls(simulator: Simulator, from: number): number {
  const since = simulator.calls().slice(from);
  return since.filter(({ path, status }) => path.includes('current-service-status') && status === 200).length;
}

function settingsOf(simulator: Simulator, folder: string, alerts: AlertsSection): AlertingCluster['settings'] {
  const idle = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];
  return {
    listen: '127.0.0.1:0',
    state_dir: join(folder, 'state'),
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9, changes: 10_000 } },
    clusters: [{ name: 'c', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: { health: seldom, services: often, ...Object.fromEntries(idle.map((name) => [name, off])) },
    alerts: {
      ...alerts,
      rules: { ...quiet, service_not_online: { for: '0s', keep_firing_for: '0s' }, ...alerts.rules },
    },
  };
}

/** Disables all other rules: the short intervals and the disabled collectors of this test would fire them. */
const quiet = Object.fromEntries(
  rules.filter(({ name }) => !['service_not_online', 'watchdog'].includes(name)).map(({ name }) => [name, off]),
);

/** Starts simulated receivers until the end of the test. */
export async function fakeReceivers(...options: readonly ReceiverOptions[]): Promise<SimulatedReceivers> {
  const receivers = await startSimulatedReceivers(options, { listen, clock: systemClock });
  onTestFinished(() => receivers.close());
  return receivers;
}

/** Returns the URL of a simulated receiver for the configuration of a sender. */
export function addressOf(receivers: SimulatedReceivers, name: string): string {
  const found = receivers.all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found.url;
}

/** Returns the notifications that a receiver accepted, in order. */
export function acceptedBy(receivers: SimulatedReceivers, name: string): readonly ReceivedNotification[] {
  return notificationsTo(receivers, name).flatMap(({ isAccepted, notifications }) => (isAccepted ? notifications : []));
}

/** Returns all requests to one receiver. */
export function notificationsTo(receivers: SimulatedReceivers, name: string): readonly ReceivedRequest[] {
  return receivers.requests().filter(({ receiver }) => receiver === name);
}

/** Waits until the last notification that a receiver has accepted has this action. */
export async function untilNotified(
  receivers: SimulatedReceivers,
  name: string,
  action: ReceivedNotification['action'],
): Promise<ReceivedNotification> {
  return eventually(`${name} receives ${action}`, async () => {
    const last = acceptedBy(receivers, name).at(-1);
    return last?.action === action ? last : undefined;
  });
}

/** Kills a daemon with SIGKILL, as in a crash. */
export async function kill(child: Child): Promise<void> {
  child.kill('SIGKILL');
  expect(await child.ended).toBe(137);
}
