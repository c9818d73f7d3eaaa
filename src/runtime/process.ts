import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { err, ok } from '../kernel/result.ts';
import type { Output, Signals } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { formatTimestamp } from '../kernel/timestamp.ts';
import { fileErrorMessage } from './files.ts';
import { redactFields } from './log-fields.ts';

/** Source of signals: the process, or an emitter in a test. */
export interface SignalSource {
  on(name: string, react: () => void): unknown;
  off(name: string, react: () => void): unknown;
}

/** The signals that `source`, the process, receives. */
export function signalsOf(source: SignalSource): Signals {
  return {
    on: (name, react) => {
      source.on(name, react);
      return () => void source.off(name, react);
    },
  };
}

/** Source of uncaught errors: the process, or an emitter in a test. */
export interface UncaughtErrorSource {
  on(event: 'uncaughtException' | 'unhandledRejection', react: (error: unknown) => void): unknown;
}

/**
 * Exits on an uncaught error, because the state of the program is unknown; a supervisor restarts it. The last line of the
 * log contains the error.
 */
export function exitOnUncaughtError(source: UncaughtErrorSource, out: Output, end: (code: number) => void): void {
  const crash = (error: unknown): void => {
    const fields = redactFields({ level: 'error', time: formatTimestamp(Date.now()), error });
    const line = JSON.stringify({ ...fields, msg: 'unexpected error, exiting' });
    out.write(`${out.isJournal === true ? '<3>' : ''}${line}\n`);
    end(1);
  };
  source.on('uncaughtException', crash);
  source.on('unhandledRejection', crash);
}

/** Standard stream of the process, or its replacement in a test. */
export interface TextStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: 'error', react: (error: Error) => void): unknown;
}

/** Converts a stream to the port. If the reader has closed the pipe (`| head`), the remaining output is dropped without an error. */
export function standardOutput(stream: TextStream, isJournal = false): Output {
  let firstError: Error | undefined;
  let latest = Promise.resolve();
  const recordError = (error: Error): void => {
    firstError ??= error;
  };
  stream.on('error', recordError);
  return {
    write: (text) => {
      latest = new Promise((resolve) => {
        stream.write(text, (error) => {
          if (error) recordError(error);
          resolve();
        });
      });
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    hasColors: stream.isTTY === true && stream.hasColors?.() === true,
    isJournal,
    get isClosed() {
      return firstError !== undefined;
    },
    flushed: async () => {
      await latest;
      return firstError === undefined || isBrokenPipe(firstError) ? ok(undefined) : err(fileErrorMessage(firstError));
    },
  };
}

function isBrokenPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/**
 * Tunes V8's heap for a process that retains much memory and allocates little. Must run before anything else. The flags are not set
 * on the command line, because a bundle has none, and V8 overrides `--semi-space-growth-factor` there.
 */
export function tuneHeap(isDaemon = false): void {
  // One page of 100,000 series that is read for the first time would let the space for new objects grow to 64 MB,
  // which it keeps although later poll results leave little garbage.
  setFlagsFromString('--semi-space-growth-factor=1');
  // By default, V8 starts a full garbage collection when the heap and the received bodies exceed the heap in use by a tenth:
  // each large reply causes one, which costs as much as reading the reply. A value of 100 costs the least CPU, but a process
  // that is scraped without a pause gets 8 MiB larger, and one that polls 100,000 series up to 20 MiB.
  setFlagsFromString('--heap-growing-percent=60');
  // The HTTP client parses with WebAssembly. V8 needs 13 MiB to optimize one of its functions, and the allocator keeps that
  // memory. Only both flags together prevent this.
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
  // V8 optimizes frequent code with both of its compilers in turn. The first one has no measurable benefit and takes 7 MiB.
  setFlagsFromString('--no-maglev');
  // The space for new objects has 1 MB, which one thread collects faster than several threads.
  setFlagsFromString('--no-parallel-scavenge');
  if (isDaemon) setFlagsFromString('--no-opt');
}

/** Interval at which a process without the optimizing compiler is checked, and the active time from which it counts as busy. */
const busyCheckInterval: Millis = 10_000;
const busyActiveTime: Millis = 500;

/**
 * Enables the optimizing compiler of V8, which {@link tuneHeap} disabled for the start of a daemon: it takes 8 MiB as soon as it
 * compiles one function. With `whenBusy`, it stays disabled until the event loop is active for 5 % of an interval; the first
 * interval, which includes the start, does not count.
 */
export async function enableOptimizer(
  { whenBusy, clock, activeTime = activeTimeOfEventLoop }: OptimizerOptions,
  stopped: AbortSignal,
): Promise<void> {
  if (whenBusy) await clock.sleep(busyCheckInterval, stopped);
  for (let spent = whenBusy ? 0 : busyActiveTime; spent < busyActiveTime && !stopped.aborted; ) {
    const before = activeTime();
    await clock.sleep(busyCheckInterval, stopped);
    spent = activeTime() - before;
  }
  setFlagsFromString('--opt');
}

/** Options of {@link enableOptimizer}. */
export interface OptimizerOptions {
  readonly whenBusy: boolean;
  readonly clock: Clock;
  readonly activeTime?: () => Millis;
}

/** Returns the time for which the event loop did not wait for events. */
export function activeTimeOfEventLoop(): Millis {
  return performance.eventLoopUtilization().active;
}

/** Heap of a daemon that polls many nodes. */
interface FleetHeap {
  /** Minimum number of nodes. */
  readonly nodes: number;
  readonly newSpaceBytes: number;
  /** Growth of the heap between two full garbage collections, in percent. */
  readonly growthPercent: number;
}

/**
 * Settings by fleet size, the largest first. Poll results outlive a space for new objects of 1 MB. With 50 clusters of 3 nodes,
 * 16 MB cost 9 % less CPU than 4 MB, because less garbage is promoted, and 15 MiB more memory, which the lower growth saves. From
 * 200 nodes on, 16 MB would cost 25 MiB more for hardly less CPU; a growth of 30 % instead of 60 % saves 30 MiB for 4 % of a core.
 */
const fleetHeaps: readonly FleetHeap[] = [
  { nodes: 200, newSpaceBytes: 4 * 2 ** 20, growthPercent: 30 },
  { nodes: 100, newSpaceBytes: 16 * 2 ** 20, growthPercent: 45 },
];
const growthCheckInterval: Millis = 100;

/** Tunes V8's heap for a daemon that polls many nodes; returns when the space for new objects is large enough. */
export async function tuneForFleet(
  { nodes, clock, newSpace = newSpaceBytes }: FleetOptions,
  stopped: AbortSignal,
): Promise<void> {
  const heap = fleetHeaps.find((one) => nodes >= one.nodes);
  if (heap === undefined) return;
  setFlagsFromString(`--heap-growing-percent=${heap.growthPercent}`);
  setFlagsFromString('--semi-space-growth-factor=2');
  while (newSpace() < heap.newSpaceBytes && !stopped.aborted) await clock.sleep(growthCheckInterval, stopped);
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Options of {@link tuneForFleet}. */
export interface FleetOptions {
  /** Nodes of the configuration; those that are discovered later do not count. */
  readonly nodes: number;
  readonly clock: Clock;
  readonly newSpace?: () => number;
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? Infinity;
}
