import type { Clock } from '../kernel/time.ts';
import { BoundedLog, type ReceivedCall, type RecordedAbort } from './call.ts';
import { createControl, type SimulatorControl } from './control.ts';
import { type GroundTruth, groundTruthOf } from './ground-truth.ts';
import { ListenerController } from './listener-controller.ts';
import { type SimulatorOptions, type SimulatorPorts, type SimulatorSettings, withDefaults } from './options.ts';
import { nodeHandler, type SimulatorContext } from './server.ts';
import { ToggleListener } from './toggle-listener.ts';
import { TokenIssuer } from './tokens.ts';
import { scenarios } from './world/scenarios.ts';
import { World } from './world/world.ts';

/** Simulated cluster with real HTTP listeners. */
export interface Simulator {
  readonly nodes: readonly SimulatedNode[];
  readonly control: SimulatorControl;
  /** Returns the true state of the cluster. */
  truth(): GroundTruth;
  /** Returns the received requests, at least the latest twenty thousand. */
  calls(): readonly ReceivedCall[];
  /** Returns the queries that abort requests named. */
  aborts(): readonly RecordedAbort[];
  /** Returns the name and the description of the current scenario. */
  description(): string;
  /** Closes all ports and cuts responses in flight. Idempotent. */
  close(): Promise<void>;
}

/** Address and names of one node of a simulated cluster. */
interface SimulatedNode {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly hostId: string;
  readonly instance: string;
}

/** Opens a simulated cluster; rejects when an address cannot be bound, leaving nothing open. */
export async function startSimulator(options: SimulatorOptions, ports: SimulatorPorts): Promise<Simulator> {
  const settings = withDefaults(options);
  const time = serverTime(ports.clock);
  const world = new World(settings, time());
  const advanceClock = (): void => world.advance(time());
  const context: SimulatorContext = {
    world,
    clock: ports.clock,
    tokens: new TokenIssuer(...configuredTokens(settings)),
    calls: new BoundedLog<ReceivedCall>(),
    aborts: new BoundedLog<RecordedAbort>(),
    advanceClock,
    otherNodeUrl: ({ host }) => nodes[(host.index + 1) % nodes.length]?.url ?? '',
  };
  const listeners = world.hosts.map(
    (state) =>
      new ToggleListener(ports.listen, listenerOptions(settings, state.host.index, nodeHandler(context, state))),
  );
  await openListeners(listeners);
  const nodes = world.hosts.map(({ host }, index) =>
    describe(settings, host.name, host.instance, listeners[index]?.port ?? 0),
  );
  const controller = new ListenerController(world, listeners, { clock: ports.clock, catchUp: advanceClock });
  await controller.start();
  return {
    nodes,
    control: createControl(world, () => controller.sync(), advanceClock),
    truth: () => {
      advanceClock();
      return groundTruthOf(world);
    },
    calls: () => context.calls.entries(),
    aborts: () => context.aborts.entries(),
    description: () => `Scenario ${world.scenario}: ${scenarios[world.scenario].about}`,
    close: () => controller.close(),
  };
}

/** Returns the notice that all data is simulated, to be printed first. */
export function simulationNotice(simulator: Simulator): string {
  return `This is a SIMULATION: no database is involved. ${simulator.description()}`;
}

function configuredTokens({ auth }: SimulatorSettings): readonly string[] {
  return auth.kind === 'bearer' ? [auth.token, ...(auth.abortToken === undefined ? [] : [auth.abortToken])] : [];
}

/** Returns the clock of the server. It starts at our wall-clock time and ignores later steps of our clock. */
function serverTime(clock: Clock): () => number {
  const begin = clock.now();
  return () => Math.floor(begin.wall + clock.now().mono - begin.mono);
}

function listenerOptions(
  { host, ports, tls }: SimulatorSettings,
  index: number,
  handler: ReturnType<typeof nodeHandler>,
): ConstructorParameters<typeof ToggleListener>[1] {
  return { host, port: ports[index] ?? 0, handler, ...(tls === undefined ? {} : { tls }) };
}

async function openListeners(listeners: readonly ToggleListener[]): Promise<void> {
  const opened = await Promise.allSettled(listeners.map((listener) => listener.setOpen(true)));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return;
  await Promise.all(listeners.map((listener) => listener.setOpen(false)));
  throw failed.reason;
}

function describe({ host, tls }: SimulatorSettings, name: string, instance: string, port: number): SimulatedNode {
  const authority = host.includes(':') ? `[${host}]` : host;
  return { name, url: `${tls === undefined ? 'http' : 'https'}://${authority}:${port}`, port, hostId: name, instance };
}
