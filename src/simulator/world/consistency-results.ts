import type { Topology } from '../topology.ts';

/** Names of the consistency checks. The first checks partitions and engines, the second only engines. */
export type CheckName = 'data_consistency' | 'deleted_vertex';

/** Result of a check for a partition or an engine. */
export interface SimulatedCheckResult {
  readonly check: CheckName;
  /** `''` for the result of an engine. */
  readonly partition: string;
  /** `GPE_1_1`; `''` for the result of a partition. */
  readonly engine: string;
  /** Number of unsynced entries; 0 if the check passed. */
  readonly unsynced: number;
}

/** Results of the consistency checks. Without changes, all checks pass. */
export class ConsistencyResults {
  #results: readonly SimulatedCheckResult[];

  constructor({ hosts, partitions }: Topology) {
    const engines = hosts.map(({ engine }) => ({ partition: '', engine, unsynced: 0 }));
    const parts = Array.from({ length: partitions }, (_, index) => String(index + 1));
    this.#results = [
      ...parts.map((partition) => ({ check: 'data_consistency' as const, partition, engine: '', unsynced: 0 })),
      ...engines.map((result) => ({ check: 'data_consistency' as const, ...result })),
      ...engines.map((result) => ({ check: 'deleted_vertex' as const, ...result })),
    ];
  }

  get results(): readonly SimulatedCheckResult[] {
    return this.#results;
  }

  /** Sets the result of a check for a partition (`1`) or an engine (`GPE_1_1`). */
  set(check: CheckName, subject: string, unsynced: number): void {
    this.#results = this.#results.map((result) =>
      result.check === check && (result.partition === subject || result.engine === subject)
        ? { ...result, unsynced }
        : result,
    );
  }
}
