import { queries } from '../collect/queries.ts';
import type { Config } from '../config/config.ts';
import { openCluster } from '../graphdb/connect.ts';
import { policiesForCluster } from '../guard/policy.ts';
import type { RecordingEvent } from '../guard/recording/format.ts';
import { guardSettingsHash } from '../guard/recording/guard-settings-hash.ts';
import { createRecorder, type Recorder } from '../guard/recording/recorder.ts';
import { withDeadline } from '../kernel/deadline.ts';
import { ok } from '../kernel/result.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { LineWriter } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import { chargeListTime, fullListTime, nextListAt } from '../model/list-time-share.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import type { CliPorts, RuntimePorts } from './ports.ts';
import { type PolledNode, type PressurePoll, pressurePolls } from './pressure-polling.ts';

/** Cluster to record, and the file to write. */
export interface RecordingTask {
  readonly config: Config;
  readonly cluster: ClusterSettings;
  readonly nodes: readonly NodeSettings[];
  readonly writer: LineWriter;
}

/** Result of a recording. */
export interface RecordingResult {
  readonly lists: number;
  readonly failed: number;
  /** Reason of a failed write; undefined if the recording was stopped. */
  readonly error?: string;
}

/** Requests the process lists of a cluster and writes them without user data. Sends no other request. */
export async function recordProcessLists(
  task: RecordingTask,
  ports: CliPorts,
  runtime: RuntimePorts,
  stop: AbortSignal,
): Promise<RecordingResult> {
  return new RecordingSession(task, ports, runtime).run(stop);
}

class RecordingSession {
  readonly #options: RecordingTask;
  readonly #clock: CliPorts['clock'];
  readonly #runtime: RuntimePorts;
  readonly #files: CliPorts['files'];
  readonly #writeFailed = new AbortController();
  #signal = this.#writeFailed.signal;
  #recording: Recorder | undefined;
  readonly #writes = new SerialQueue();
  #error: string | undefined;
  #recordedGraphs = '';
  #lists = 0;
  #failed = 0;

  constructor(task: RecordingTask, { clock, files }: CliPorts, runtime: RuntimePorts) {
    this.#options = task;
    this.#clock = clock;
    this.#files = files;
    this.#runtime = runtime;
  }

  async run(stop: AbortSignal): Promise<RecordingResult> {
    this.#signal = AbortSignal.any([stop, this.#writeFailed.signal]);
    const { cluster, config, nodes } = this.#options;
    const ports = { ...this.#runtime, clock: this.#clock, files: this.#files };
    const connection = openCluster(cluster, { bodyLimit: config.limits.body }, ports);
    const targets = nodes.map((settings) => ({ settings, db: connection.node(settings).db }));
    const rounds = pressurePolls(policiesForCluster(config.guard, cluster.name), targets, config);
    this.#writeHeader((await this.#fetchGraphNames(targets)) ?? [], rounds);
    await Promise.all([
      ...targets.map((node) => this.#repeat(this.#interval(), () => this.#pollProcessList(node))),
      this.#repeat(this.#interval(), () => this.#pollGraphs(targets)),
      ...rounds.map((round) => this.#repeat(round.interval, () => this.#pollPressure(round))),
    ]);
    await connection.close();
    await this.#writes.idle();
    const end = { lists: this.#lists, failed: this.#failed };
    return this.#error === undefined ? end : { ...end, error: this.#error };
  }

  #writeHeader(graphs: readonly string[], rounds: readonly PressurePoll[]): void {
    const { cluster, config, nodes } = this.#options;
    const instances = nodes.flatMap(({ name, instance }) => (instance === undefined ? [] : [[name, instance]]));
    this.#recordedGraphs = JSON.stringify(graphs);
    this.#recording = createRecorder({
      cluster: cluster.name,
      nodes: nodes.map(({ name }) => name),
      instances: Object.fromEntries(instances),
      interval: this.#interval(),
      graphs,
      guard: guardSettingsHash(config.guard, this.#runtime.digest),
      settings: config.guard,
      gates: [...new Set(rounds.flatMap(({ sources }) => sources))],
    });
    this.#enqueueLine(this.#recording.header);
  }

  #interval(): Millis {
    return this.#options.config.collectors[queries.name]?.interval ?? queries.defaults.interval;
  }

  #timeout(): Millis {
    return this.#options.config.collectors[queries.name]?.timeout ?? queries.defaults.timeout;
  }

  /** Polls until the recording ends. Slow requests are repeated less often, as in the guard. */
  async #repeat(interval: Millis, poll: () => Promise<void>): Promise<void> {
    let time = fullListTime;
    while (!this.#signal.aborted) {
      const begun = this.#clock.now().mono;
      await poll();
      const ended = this.#clock.now().mono;
      time = chargeListTime(time, Math.min(ended - begun, this.#timeout()), ended);
      await this.#writes.idle();
      const next = Math.max(begun + interval, nextListAt(time, begun));
      if (!this.#signal.aborted) await this.#clock.sleep(next - this.#clock.now().mono, this.#signal);
    }
  }

  async #pollProcessList({ db }: PolledNode): Promise<void> {
    const started = this.#clock.now();
    const list = await this.#withTimeout((signal) => db.processListAll(signal));
    const received = this.#clock.now();
    if (this.#signal.aborted) return;
    if (list.ok) this.#lists += 1;
    else this.#failed += 1;
    const { node } = db;
    const event = list.ok
      ? { ...list.value.raw, node, answer: ok(list.value.raw.body) }
      : { node, answer: list, started, received };
    this.#recordEvent((recording) => recording.listed(event));
  }

  /** Records changed graph names. The client caches them, so that this is rarely a request. */
  async #pollGraphs(nodes: readonly PolledNode[]): Promise<void> {
    const names = await this.#fetchGraphNames(nodes);
    if (names === undefined || JSON.stringify(names) === this.#recordedGraphs) return;
    this.#recordedGraphs = JSON.stringify(names);
    this.#recordEvent((recording) => recording.graphs(names, this.#clock.now()));
  }

  async #pollPressure(round: PressurePoll): Promise<void> {
    const pressures = await round.poll(this.#clock, this.#signal);
    const now = this.#clock.now();
    for (const one of pressures) this.#recordEvent((recording) => recording.gateValue({ ...one, at: now.mono }, now));
  }

  async #fetchGraphNames(nodes: readonly PolledNode[]): Promise<readonly string[] | undefined> {
    for (const { db } of nodes) {
      const graphs = await this.#withTimeout((signal) => db.graphs(signal));
      if (graphs.ok) return graphs.value;
    }
    return undefined;
  }

  #withTimeout<T>(poll: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.#clock, this.#timeout(), poll, this.#signal);
  }

  #recordEvent(event: (recording: Recorder) => RecordingEvent): void {
    if (this.#recording !== undefined && !this.#signal.aborted) this.#enqueueLine(event(this.#recording));
  }

  #enqueueLine(line: object): void {
    const text = JSON.stringify(line);
    void this.#writes.run(() => this.#writeLine(text));
  }

  /** Writes a line; the first failure ends the recording. */
  async #writeLine(text: string): Promise<void> {
    if (this.#error !== undefined) return;
    const done = await this.#options.writer.write(text);
    if (done.ok) return;
    this.#error = done.error;
    this.#writeFailed.abort();
  }
}
