import type { Digest } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';

interface RowOwner {
  /** Name that no other process has, and that this one keeps after a restart; absent for a single run. */
  readonly owner: string | undefined;
  readonly cluster: string;
  readonly digest: Digest;
}

/** Characters of the digest in an id. */
const digestLength = 24;

/**
 * Ids of the rows of the write heartbeats of a cluster. The runs of a graph use the same id again, one after the other: a row
 * that a run could not delete, or that was written after its deletion, is replaced and deleted by the next run, also after
 * a restart. Runs at the same time have different ids.
 */
export class HeartbeatRows {
  readonly #owner: RowOwner;
  readonly #inUse = new Set<string>();

  constructor(owner: RowOwner) {
    this.#owner = owner;
  }

  /** Runs `work` with an id that no other run uses meanwhile. */
  async withRow<Reply>(graph: string, now: Instant, work: (rowId: string) => Promise<Reply>): Promise<Reply> {
    const rowId = this.#freeId(graph, now);
    this.#inUse.add(rowId);
    try {
      return await work(rowId);
    } finally {
      this.#inUse.delete(rowId);
    }
  }

  #freeId(graph: string, { wall, mono }: Instant): string {
    const { owner, cluster, digest } = this.#owner;
    // A single run has a unique id: no later run replaces its row, and it must not replace the row of a daemon.
    if (owner === undefined) return `b${Math.round(wall)}-${Math.round(mono * 1000)}`;
    const base = digest.sha256(['heartbeat', owner, cluster, graph].join('\n')).slice(0, digestLength);
    let number = 0;
    while (this.#inUse.has(`b${base}-${number}`)) number += 1;
    return `b${base}-${number}`;
  }
}
