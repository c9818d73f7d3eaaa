import type { GuardState } from '../guard/decision/state.ts';
import { openAborts, recentAborts } from '../guard/keeping/read-aborts.ts';
import { type KeptRead, readKept } from '../guard/keeping/read-kept.ts';
import { clockChange, type KeptClock } from '../guard/keeping/standing-rows.ts';
import type { Logger } from '../kernel/logger.ts';
import { ok, type Result } from '../kernel/result.ts';
import { same } from '../kernel/same.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Clock, Instant, Millis } from '../kernel/time.ts';
import type { AbortView } from '../model/guard.ts';
import type { GuardReach } from './guard-reach.ts';

/** What was read of an earlier run. */
export interface Remembered {
  readonly known: KeptRead;
  /** Those of the last day, the latest first. */
  readonly aborts: readonly AbortView[];
}

interface MemoryParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
}

const retryAfter: Millis = 5000;
const day: Millis = 86_400_000;
const keepEvery: Millis = 60_000;
const graphsEvery: Millis = 30_000;

/** What the guard of one cluster has to be told anew, and keeps for the next run besides what it does. */
export class GuardMemory {
  readonly #cluster: string;
  readonly #parts: MemoryParts;
  #clocks: ReadonlyMap<string, KeptClock> = new Map();
  #keptAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(cluster: string, parts: MemoryParts) {
    this.#cluster = cluster;
    this.#parts = parts;
  }

  /** Reads what an earlier run has left behind, and tries until that works; undefined where `signal` came first. */
  async read(signal: AbortSignal): Promise<Remembered | undefined> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      const found = await this.#readOnce();
      if (found.ok) {
        for (const trouble of found.value.known.troubles) log.error('a row of the guard', { reason: trouble });
        return found.value;
      }
      const { error: reason } = found;
      log.error('what the guard did before cannot be read: nothing is decided until it can', { reason });
      await clock.sleep(retryAfter, signal);
    }
    return undefined;
  }

  /** Keeps how the clocks of nodes stand, once in a while. */
  keepClocks({ views }: GuardState, now: Instant): void {
    if (now.mono - this.#keptAt < keepEvery) return;
    this.#keptAt = now.mono;
    const clocks = new Map([...views].map(([node, { offset }]) => [node, clockOf(offset)] as const));
    const changed = [...clocks].filter(([node, clock]) => !same(clock, this.#clocks.get(node) ?? {}));
    this.#clocks = clocks;
    if (changed.length === 0) return;
    const rows = changed.map(([node, clock]) => clockChange({ cluster: this.#cluster, node }, clock, now.wall));
    void this.#keep(rows);
  }

  /** Asks for the names of the graphs, once in a while. */
  askGraphs(reach: Pick<GuardReach, 'graphs'>, now: Instant, found: (names: readonly string[]) => void): void {
    if (now.mono - this.#askedAt < graphsEvery) return;
    this.#askedAt = now.mono;
    void this.#askOnce(reach, found);
  }

  /** What could not be stored is new the next time. */
  async #keep(rows: readonly Change[]): Promise<void> {
    const stored = await this.#parts.store.commit(rows);
    if (!stored.ok) this.#clocks = new Map();
  }

  async #askOnce(reach: Pick<GuardReach, 'graphs'>, found: (names: readonly string[]) => void): Promise<void> {
    const names = await reach.graphs();
    if (names === undefined) this.#askedAt = Number.NEGATIVE_INFINITY;
    else found(names);
  }

  async #readOnce(): Promise<Result<Remembered, string>> {
    const { clock, store } = this.#parts;
    const since = clock.now().wall - day;
    const [known, open, recent] = await Promise.all([
      readKept(store, this.#cluster),
      openAborts(store, this.#cluster),
      recentAborts(store, this.#cluster, since),
    ]);
    if (!known.ok) return known;
    if (!open.ok) return open;
    if (!recent.ok) return recent;
    const aborts = [...open.value, ...recent.value].toSorted((one, other) => other.at - one.at);
    return ok({ known: known.value, aborts });
  }
}

function clockOf({ offset, anchor }: KeptClock): KeptClock {
  return { ...(offset === undefined ? {} : { offset }), ...(anchor === undefined ? {} : { anchor }) };
}
