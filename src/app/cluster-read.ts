import type { FailedTry, Reading } from '../collect/runner.ts';
import { failure } from '../kernel/failure.ts';
import { err } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import type { Planned } from './plan.ts';

/** How a fact of the whole cluster is asked for. */
export interface ClusterRead {
  readonly cluster: string;
  readonly planned: Planned;
  /** In the order in which they are to be asked. */
  readonly nodes: readonly string[];
  readonly clock: Clock;
  /** Undefined where a stuck read holds the permit. */
  ask(node: string): Promise<Reading | undefined>;
  /** Nobody waits for it any more. */
  isStopped(): boolean;
}

/** Asks one node after the other until one answers; the first failure speaks for all. */
export async function readCluster(read: ClusterRead): Promise<Reading | undefined> {
  const { cluster, planned, nodes, clock } = read;
  const started = clock.now();
  const failedTries: FailedTry[] = [];
  let first: Reading | undefined;
  for (const node of nodes) {
    if (read.isStopped()) break;
    const reading = await read.ask(node);
    if (reading?.result.ok === true) return { ...reading, started, failedTries };
    if (reading?.result.ok === false) failedTries.push({ node, error: reading.result.error });
    first ??= reading;
    if (isWornOut(planned, reading)) break;
  }
  if (first !== undefined) return { ...first, started, ended: clock.now(), failedTries };
  if (nodes.length > 0) return undefined;
  const unknown = failure('unreachable', `no node of '${cluster}' is known`);
  return { result: err(unknown), source: '', started, ended: started };
}

/** A heavy check that ran out of time would run as long on every other node of a cluster that is slow already. */
function isWornOut({ settings }: Planned, reading: Reading | undefined): boolean {
  return settings.cron !== undefined && reading?.result.ok === false && reading.result.error.reason === 'timeout';
}
