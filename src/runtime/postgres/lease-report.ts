import { DistinctErrors } from '../../kernel/distinct-errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type ReplicaRegistration, selfCluster } from '../../kernel/ownership.ts';
import type { LeaseSnapshot } from './lease-database.ts';

/** Logs each change of leases once. */
export class LeaseReport {
  readonly #log: Logger;
  #problem: string | undefined;
  readonly #errors = new DistinctErrors();
  #foreign = '';

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Error of the last statement; undefined if the database answered it. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Records whether the database answers. */
  answered(problem: string | undefined): void {
    this.#problem = problem;
    if (problem === undefined) {
      if (this.#errors.clear()) this.#log.info('lease renewal recovered');
    } else if (this.#errors.isNew(problem)) this.#log.warn('lease renewal failed', { error: problem });
  }

  lost(clusters: readonly string[]): void {
    this.#log.error('leases lost, the clusters have another owner', counted(clusters));
  }

  taken(clusters: readonly string[]): void {
    this.#log.info('leases acquired', counted(clusters));
  }

  released(clusters: number): void {
    this.#log.info('leases released', { clusters });
  }

  /** Reports live replicas with other clusters: they share the leases, but not the configuration. */
  readReplicas({ replicas }: LeaseSnapshot, own: ReplicaRegistration | undefined): void {
    const others = replicas.filter(({ isLive, configHash }) => isLive && configHash !== own?.configHash);
    const names = others.map(({ name, id }) => `${name} (${id})`).join(', ');
    if (names === this.#foreign) return;
    this.#foreign = names;
    const advice = 'give all replicas of one database the same clusters, or each installation its own database';
    if (names !== '') this.#log.warn('replicas have different clusters configured', { replicas: names, advice });
  }
}

function counted(clusters: readonly string[]): { readonly clusters: number; readonly names: readonly string[] } {
  const names = clusters.slice(0, 10).map((cluster) => (cluster === selfCluster ? 'graphwarden' : cluster));
  return { clusters: clusters.length, names };
}
