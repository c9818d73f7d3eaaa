import type { Clock } from '../kernel/time.ts';
import { Log, type ReceivedCall, type RecordedAbort } from './call-log.ts';
import { type Control, controlOver } from './control.ts';
import { DoorKeeper } from './door-keeper.ts';
import { Door } from './doors.ts';
import { type SimulatorOptions, type SimulatorPorts, type SimulatorSettings, withDefaults } from './options.ts';
import { nodeHandler, type Stage } from './server.ts';
import { TokenDesk } from './tokens.ts';
import { type Truth, truthOf } from './truth.ts';
import { scenarios } from './world/scenarios.ts';
import { World } from './world/world.ts';

/** A simulated cluster that answers over real HTTP. */
export interface Simulator {
  readonly nodes: readonly SimulatedNode[];
  readonly control: Control;
  /** What a perfect monitor would show now. */
  truth(): Truth;
  /** The requests received so far, the latest twenty thousand at least. */
  calls(): readonly ReceivedCall[];
  /** The queries that requests have aborted so far. */
  aborts(): readonly RecordedAbort[];
  /** Name of the scenario that is on, and what happens in it. */
  about(): string;
  /** Closes all ports; answers under way are cut. Idempotent. */
  close(): Promise<void>;
}

/** How one node of a simulated cluster is reached, and what the server calls it. */
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
  const time = trueTime(ports.clock);
  const world = new World(settings, time());
  const catchUp = (): void => world.advance(time());
  const stage: Stage = {
    world,
    clock: ports.clock,
    tokens: new TokenDesk(...standingTokens(settings)),
    calls: new Log<ReceivedCall>(),
    aborts: new Log<RecordedAbort>(),
    catchUp,
    elsewhere: ({ host }) => nodes[(host.index + 1) % nodes.length]?.url ?? '',
  };
  const doors = world.hosts.map(
    (state) => new Door(ports.listen, doorOptions(settings, state.host.index, nodeHandler(stage, state))),
  );
  await openAll(doors);
  const nodes = world.hosts.map(({ host }, index) =>
    describe(settings, host.name, host.instance, doors[index]?.port ?? 0),
  );
  const keeper = new DoorKeeper(world, doors, { clock: ports.clock, catchUp });
  await keeper.start();
  return {
    nodes,
    control: controlOver(world, () => keeper.settle(), catchUp),
    truth: () => {
      catchUp();
      return truthOf(world);
    },
    calls: () => stage.calls.entries(),
    aborts: () => stage.aborts.entries(),
    about: () => `Scenario ${world.scenario}: ${scenarios[world.scenario].about}`,
    close: () => keeper.close(),
  };
}

/** What everybody has to be told before anything else is shown: nothing of it is real. */
export function simulationNotice(simulator: Simulator): string {
  return `This is a SIMULATION: no database is involved. ${simulator.about()}`;
}

function standingTokens({ auth }: SimulatorSettings): readonly string[] {
  return auth.kind === 'bearer' ? [auth.token, ...(auth.abortToken === undefined ? [] : [auth.abortToken])] : [];
}

/** The server's own time: it takes its begin from our wall clock and is not impressed when that steps. */
function trueTime(clock: Clock): () => number {
  const begin = clock.now();
  return () => Math.floor(begin.wall + clock.now().mono - begin.mono);
}

function doorOptions(
  { host, ports, tls }: SimulatorSettings,
  index: number,
  handler: ReturnType<typeof nodeHandler>,
): ConstructorParameters<typeof Door>[1] {
  return { host, port: ports[index] ?? 0, handler, ...(tls === undefined ? {} : { tls }) };
}

async function openAll(doors: readonly Door[]): Promise<void> {
  const opened = await Promise.allSettled(doors.map((door) => door.set(true)));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return;
  await Promise.all(doors.map((door) => door.set(false)));
  throw failed.reason;
}

function describe({ host, tls }: SimulatorSettings, name: string, instance: string, port: number): SimulatedNode {
  const authority = host.includes(':') ? `[${host}]` : host;
  return { name, url: `${tls === undefined ? 'http' : 'https'}://${authority}:${port}`, port, hostId: name, instance };
}
