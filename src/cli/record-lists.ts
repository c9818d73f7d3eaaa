import { queries } from '../collect/queries.ts';
import type { Config } from '../config/config.ts';
import { openCluster } from '../graphdb/connect.ts';
import type { HeardList } from '../graphdb/overheard.ts';
import { intervalOf } from '../guard/decision/pace.ts';
import type { TapeEvent } from '../guard/tape/format.ts';
import { concerning, createRecording, type Recording } from '../guard/tape/recording.ts';
import type { LineWriter } from '../kernel/line-files.ts';
import type { Millis } from '../kernel/time.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { withDeadline } from './deadline.ts';
import { guardHash } from './guard-hash.ts';
import type { CliPorts, World } from './ports.ts';
import { type AskedNode, type PressureRound, pressureRounds } from './pressure-rounds.ts';

/** What is recorded, and where it goes. */
export interface RecordingTask {
  readonly config: Config;
  readonly cluster: ClusterSettings;
  readonly nodes: readonly NodeSettings[];
  readonly writer: LineWriter;
}

/** What a recording came to. */
export interface RecordingEnd {
  readonly lists: number;
  readonly failed: number;
  /** Why it could not go on; undefined where it was told to end. */
  readonly trouble?: string;
}

/** Asks the nodes of a cluster for their lists, writes what may be kept of them, and does nothing else to them. */
export async function recordLists(
  task: RecordingTask,
  ports: CliPorts,
  world: World,
  stop: AbortSignal,
): Promise<RecordingEnd> {
  return new Session(task, ports, world).run(stop);
}

class Session {
  readonly #task: RecordingTask;
  readonly #clock: CliPorts['clock'];
  readonly #world: World;
  readonly #files: CliPorts['files'];
  readonly #broken = new AbortController();
  #stop = this.#broken.signal;
  #recording: Recording | undefined;
  #written: Promise<void> = Promise.resolve();
  #trouble: string | undefined;
  #graphs = '';
  #lists = 0;
  #failed = 0;

  constructor(task: RecordingTask, { clock, files }: CliPorts, world: World) {
    this.#task = task;
    this.#clock = clock;
    this.#files = files;
    this.#world = world;
  }

  async run(stop: AbortSignal): Promise<RecordingEnd> {
    this.#stop = AbortSignal.any([stop, this.#broken.signal]);
    const { cluster, config, nodes } = this.#task;
    const options = { bodyLimit: config.limits.body, heard: (list: HeardList) => this.#heard(list) };
    const ports = { ...this.#world, clock: this.#clock, files: this.#files };
    const connection = openCluster(cluster, options, ports);
    const asked = nodes.map((settings) => ({ settings, db: connection.node(settings).db }));
    const rounds = pressureRounds(concerning(config.guard, cluster.name), asked, config);
    this.#begin((await this.#graphNames(asked)) ?? [], rounds);
    await Promise.all([
      ...asked.map((node) => this.#over(this.#pace(), () => this.#list(node))),
      this.#over(this.#pace(), () => this.#look(asked)),
      ...rounds.map((round) => this.#over(round.every, () => this.#press(round))),
    ]);
    await connection.close();
    await this.#written;
    const end = { lists: this.#lists, failed: this.#failed };
    return this.#trouble === undefined ? end : { ...end, trouble: this.#trouble };
  }

  #begin(graphs: readonly string[], rounds: readonly PressureRound[]): void {
    const { cluster, config, nodes } = this.#task;
    const instances = nodes.flatMap(({ name, instance }) => (instance === undefined ? [] : [[name, instance]]));
    this.#graphs = JSON.stringify(graphs);
    this.#recording = createRecording({
      cluster: cluster.name,
      nodes: nodes.map(({ name }) => name),
      instances: Object.fromEntries(instances),
      interval: this.#pace(),
      graphs,
      guard: guardHash(config.guard, this.#world.digest),
      settings: config.guard,
      addresses: Object.fromEntries(nodes.map(({ name, url }) => [name, new URL(url).host])),
      pressures: [...new Set(rounds.flatMap(({ sources }) => sources))],
    });
    this.#write(this.#recording.header);
  }

  #pace(): Millis {
    return this.#task.config.collectors[queries.name]?.every ?? queries.defaults.every;
  }

  #timeout(): Millis {
    return this.#task.config.collectors[queries.name]?.timeout ?? queries.defaults.timeout;
  }

  /** Again and again until the end; what is slow is asked less often, as the guard does. */
  async #over(interval: Millis, ask: () => Promise<void>): Promise<void> {
    while (!this.#stop.aborted) {
      const begun = this.#clock.now().mono;
      await ask();
      const duration = this.#clock.now().mono - begun;
      await this.#written;
      const next = begun + intervalOf({ duration }, interval);
      if (!this.#stop.aborted) await this.#clock.sleep(next - this.#clock.now().mono, this.#stop);
    }
  }

  async #list({ db }: AskedNode): Promise<void> {
    await this.#within((signal) => db.processListAll(signal));
  }

  /** They are remembered for a while, so this is rarely a call. */
  async #look(nodes: readonly AskedNode[]): Promise<void> {
    const names = await this.#graphNames(nodes);
    if (names === undefined || JSON.stringify(names) === this.#graphs) return;
    this.#graphs = JSON.stringify(names);
    this.#tell((recording) => recording.graphs(names, this.#clock.now()));
  }

  async #press(round: PressureRound): Promise<void> {
    const pressures = await round.read(this.#clock, this.#stop);
    const now = this.#clock.now();
    for (const one of pressures) this.#tell((recording) => recording.pressed({ ...one, at: now.mono }, now));
  }

  #heard(list: HeardList): void {
    if (this.#stop.aborted) return;
    if (list.answer.ok) this.#lists += 1;
    else this.#failed += 1;
    this.#tell((recording) => recording.listed(list));
  }

  async #graphNames(nodes: readonly AskedNode[]): Promise<readonly string[] | undefined> {
    for (const { db } of nodes) {
      const graphs = await this.#within((signal) => db.graphs(signal));
      if (graphs.ok) return graphs.value;
    }
    return undefined;
  }

  #within<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.#clock, this.#timeout(), (signal) => ask(AbortSignal.any([signal, this.#stop])));
  }

  #tell(event: (recording: Recording) => TapeEvent): void {
    if (this.#recording !== undefined && !this.#stop.aborted) this.#write(event(this.#recording));
  }

  #write(line: object): void {
    this.#written = this.#writeAfter(this.#written, JSON.stringify(line));
  }

  /** One line after the other; the first that cannot be written is the end. */
  async #writeAfter(before: Promise<void>, text: string): Promise<void> {
    await before;
    if (this.#trouble !== undefined) return;
    const done = await this.#task.writer.write(text);
    if (done.ok) return;
    this.#trouble = done.error;
    this.#broken.abort();
  }
}
