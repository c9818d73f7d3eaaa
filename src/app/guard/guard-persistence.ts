import type { GuardOutput, Intent } from '../../guard/decision/output.ts';
import type { GuardState } from '../../guard/decision/state.ts';
import type { GuardSettings } from '../../guard/policy.ts';
import {
  intentChange,
  loadOpenAborts,
  loadRecentAborts,
  outcomeChange,
  policyHash,
} from '../../guard/storage/abort-rows.ts';
import {
  clockOffsetChange,
  type LoadedGuardState,
  loadGuardState,
  type StoredClockOffset,
  stateChanges,
} from '../../guard/storage/guard-state-rows.ts';
import { actionChange, type OperatorAction } from '../../guard/storage/operator-action-rows.ts';
import { exponentialBackoff } from '../../kernel/backoff.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import type { Logger } from '../../kernel/logger.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Store, StoreChange } from '../../kernel/store.ts';
import type { Digest, Random } from '../../kernel/system.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import type { AbortView } from '../../model/guard.ts';
import type { GuardNodeAccess } from './node-access.ts';

/** Stored state of an earlier run. */
export interface StoredClusterState {
  readonly known: LoadedGuardState;
  /** Aborts of the last day, latest first. */
  readonly aborts: readonly AbortView[];
}

interface GuardStateStoreParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
}

const retryAfter: Millis = 5000;
const day: Millis = 86_400_000;
const saveInterval: Millis = 60_000;
const graphsInterval: Millis = 30_000;
/** Wait after a request for the graphs that failed; it doubles with each failure. */
const graphsBackoff = { min: 1000, max: 60_000 };

/** Stores the state of the guard of one cluster, and restores it after a restart. */
export class GuardStateStore {
  readonly #cluster: string;
  readonly #parts: GuardStateStoreParts;
  #savedOffsets: ReadonlyMap<string, StoredClockOffset> = new Map();
  #savedAt = Number.NEGATIVE_INFINITY;
  #graphsDue = Number.NEGATIVE_INFINITY;
  #graphsFailures = 0;

  constructor(cluster: string, parts: GuardStateStoreParts) {
    this.#cluster = cluster;
    this.#parts = parts;
  }

  /** Reads the stored state, and retries until that succeeds; undefined if `signal` aborts before. */
  async load(signal: AbortSignal): Promise<StoredClusterState | undefined> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      const found = await this.#loadOnce();
      if (found.ok) {
        for (const problem of found.value.known.problems) log.error('guard row cannot be read', { error: problem });
        return found.value;
      }
      const { error } = found;
      log.error('guard state cannot be read, no decisions until the next attempt', { error });
      await clock.sleep(retryAfter, signal);
    }
    return undefined;
  }

  /** Stores the clock offsets of the nodes at an interval. */
  saveClockOffsets({ views }: GuardState, now: Instant): void {
    if (now.mono - this.#savedAt < saveInterval) return;
    this.#savedAt = now.mono;
    const clocks = new Map([...views].map(([node, { offset }]) => [node, toStoredOffset(offset)] as const));
    const changed = [...clocks].filter(([node, clock]) => !deepEqual(clock, this.#savedOffsets.get(node) ?? {}));
    this.#savedOffsets = clocks;
    if (changed.length === 0) return;
    const rows = changed.map(([node, clock]) => clockOffsetChange({ cluster: this.#cluster, node }, clock, now.wall));
    void this.#save(rows);
  }

  /** Requests the names of the graphs at an interval. */
  refreshGraphs(
    access: Pick<GuardNodeAccess, 'graphs'>,
    now: Instant,
    found: (names: readonly string[]) => void,
  ): void {
    if (now.mono < this.#graphsDue) return;
    this.#graphsDue = now.mono + graphsInterval;
    void this.#requestGraphs(access, found);
  }

  /** A change that could not be stored is stored the next time. */
  async #save(rows: readonly StoreChange[]): Promise<void> {
    const stored = await this.#parts.store.commit(rows);
    if (!stored.ok) this.#savedOffsets = new Map();
  }

  async #requestGraphs(
    access: Pick<GuardNodeAccess, 'graphs'>,
    found: (names: readonly string[]) => void,
  ): Promise<void> {
    const names = await access.graphs();
    this.#graphsFailures = names === undefined ? this.#graphsFailures + 1 : 0;
    if (names !== undefined) return found(names);
    this.#graphsDue = this.#parts.clock.now().mono + exponentialBackoff(graphsBackoff, this.#graphsFailures - 1);
  }

  async #loadOnce(): Promise<Result<StoredClusterState, string>> {
    const { clock, store } = this.#parts;
    const since = clock.now().wall - day;
    const [known, open, recent] = await Promise.all([
      loadGuardState(store, this.#cluster),
      loadOpenAborts(store, this.#cluster),
      loadRecentAborts(store, this.#cluster, since),
    ]);
    if (!known.ok) return known;
    if (!open.ok) return open;
    if (!recent.ok) return recent;
    const aborts = [...open.value, ...recent.value].toSorted((one, other) => other.at - one.at);
    return ok({ known: known.value, aborts });
  }
}

function toStoredOffset({ offset, anchor }: StoredClockOffset): StoredClockOffset {
  return { ...(offset === undefined ? {} : { offset }), ...(anchor === undefined ? {} : { anchor }) };
}

/** Dependencies of the rows of a cluster. */
export interface AuditContext {
  readonly cluster: string;
  readonly guard: GuardSettings;
  readonly digest: Digest;
  readonly now: Instant;
}

/** Returns the rows that a step requires to store. */
export function auditChanges(outputs: readonly GuardOutput[], parts: AuditContext): readonly StoreChange[] {
  return outputs.flatMap((output) => {
    if (output.kind === 'intent') return [intentRow(output.intent, output.notify, parts)];
    if (output.kind === 'outcome') return [outcomeRow(output, parts)];
    return stateChanges(parts.cluster, output, parts.now.wall);
  });
}

function intentRow(intent: Intent, notify: readonly string[], { guard, digest }: AuditContext): StoreChange {
  const policy = guard.policies.find(({ name }) => name === intent.policy);
  const hash = policy === undefined ? '' : policyHash(policy, digest);
  const mode = intent.manual === undefined ? 'enforce' : 'manual';
  return intentChange({ ...intent, mode, policyHash: hash, notify });
}

function outcomeRow(
  { key, outcome, at, skipReason }: Extract<GuardOutput, { readonly kind: 'outcome' }>,
  { cluster }: AuditContext,
): StoreChange {
  return outcomeChange({ cluster, key }, { outcome, at, ...(skipReason === undefined ? {} : { skipReason }) });
}

/** Operator action whose empty fields may be omitted. */
type LoggedAction = Pick<OperatorAction, 'what' | 'by'> & Partial<OperatorAction>;

/** Writes operator actions on the guard to the audit. */
export class OperatorActionLog {
  readonly #parts: { readonly store: Store; readonly clock: Clock; readonly random: Random };

  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly random: Random }) {
    this.#parts = parts;
  }

  /** Adds an operator action to the audit; the error is that it could not be stored. */
  append(act: LoggedAction): Promise<Result<void, string>> {
    const { store, clock, random } = this.#parts;
    const at = clock.now().wall;
    return store.commit([actionChange({ at, cluster: '', subject: '', reason: '', ...act }, random)]);
  }
}
