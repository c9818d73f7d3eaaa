import { err, ok, type Result } from '../../kernel/result.ts';
import type { Retention, Row, StoreChange, StoreOpenError, StoreQuery } from '../../kernel/store.ts';
import type { Work } from '../worker-roles.ts';
import type { Outcomes } from './database.ts';
import { migrations } from './migrations.ts';
import { messageOf } from './sqlite-errors.ts';
import { StateDatabase, type StateDatabaseOptions, type StateStatus } from './state-database.ts';

/** Request to the store's thread. The first one is `open`, also after a restart of the thread. */
export type StateRequest =
  | { readonly kind: 'open'; readonly folder: string; readonly retention: Retention }
  | { readonly kind: 'commit'; readonly batches: readonly (readonly StoreChange[])[]; readonly now: number }
  | { readonly kind: 'find' | 'count'; readonly query: StoreQuery }
  | { readonly kind: 'close' };

/** Reply of the store's thread: the status of the state, and the result of the request. */
export interface StateReply {
  readonly status: StateStatus;
  readonly refusal?: StoreOpenError;
  readonly outcomes?: Outcomes;
  readonly rows?: Result<readonly Row[], string>;
  readonly count?: Result<number, string>;
}

/** Options that tests override. */
export type StateWorkOptions = Partial<Omit<StateDatabaseOptions, 'folder' | 'retention'>>;

const closed: StateStatus = { durable: false, problem: 'the store is closed', wasRecreated: false, mergeCount: 0 };

/** Returns the work of the store's thread, which has at most one database open. */
export function stateWork(options: StateWorkOptions = {}): Work {
  const state = new StateWorker({ steps: migrations, retryAfter: 15_000, trimAfter: 60_000, ...options });
  return async (request) => {
    if (!isRequest(request)) throw new TypeError('the thread of the store received an unexpected request');
    return state.answer(request);
  };
}

class StateWorker {
  readonly #options: Omit<StateDatabaseOptions, 'folder' | 'retention'>;
  #database: StateDatabase | undefined;

  constructor(options: Omit<StateDatabaseOptions, 'folder' | 'retention'>) {
    this.#options = options;
  }

  answer(request: StateRequest): StateReply {
    if (request.kind === 'open') return this.#open(request);
    const database = this.#database;
    if (database === undefined) throw new Error('the store is not open');
    if (request.kind === 'close') return this.#close(database);
    const answered = execute(database, request);
    // Read last, because the request can change the status.
    return { ...answered, status: database.status };
  }

  #open({ folder, retention }: { readonly folder: string; readonly retention: Retention }): StateReply {
    this.#database?.close();
    const opened = StateDatabase.open({ ...this.#options, folder, retention });
    this.#database = opened.ok ? opened.value : undefined;
    return opened.ok ? { status: opened.value.status } : { status: closed, refusal: opened.error };
  }

  #close(database: StateDatabase): StateReply {
    const { status } = database;
    database.close();
    this.#database = undefined;
    return { status };
  }
}

function execute(
  database: StateDatabase,
  request: Exclude<StateRequest, { readonly kind: 'open' | 'close' }>,
): Omit<StateReply, 'status'> {
  if (request.kind === 'commit') return { outcomes: database.commit(request.batches, request.now) };
  if (request.kind === 'find') return { rows: toResult(() => database.find(request.query)) };
  return { count: toResult(() => database.count(request.query)) };
}

function toResult<T>(work: () => T): Result<T, string> {
  try {
    return ok(work());
  } catch (error) {
    return err(messageOf(error));
  }
}

/** Checks only the kind, because the sender is this program. */
function isRequest(value: unknown): value is StateRequest {
  return typeof value === 'object' && value !== null && 'kind' in value;
}
