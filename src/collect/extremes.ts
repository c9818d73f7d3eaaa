import { type Metric, type Sample, sample } from '../metric/metric.ts';
import { entryOf } from './entry-of.ts';

/** Which of several values for one file system is shown: the one that warns first. */
export type Worse = (one: number, other: number) => number;

/**
 * Folds what the server says per directory into one value per file system of a host. Where it names no
 * mount point, all of the host's file systems count as one, and the worst of them is what shows.
 */
export class Extremes {
  readonly #metric: Metric<'host_id' | 'mount_point'>;
  readonly #worse: Worse;
  readonly #hosts = new Map<string, Map<string, number>>();

  constructor(metric: Metric<'host_id' | 'mount_point'>, worse: Worse) {
    this.#metric = metric;
    this.#worse = worse;
  }

  /** Notes the value of one directory. */
  add(host: string, mountPoint: string, value: number): void {
    const mounts = entryOf(this.#hosts, host, () => new Map<string, number>());
    mounts.set(mountPoint, this.#worse(mounts.get(mountPoint) ?? value, value));
  }

  /** One sample per file system. */
  *samples(): Generator<Sample> {
    for (const [host_id, mounts] of this.#hosts) {
      for (const [mount_point, value] of mounts) yield sample(this.#metric, { host_id, mount_point }, value);
    }
  }
}
