import type { Schema } from '../api/fields.ts';
import { type KnownValues, unknownValue } from '../app/api/known-values.ts';
import { parseTimestamp, rowConditions } from '../app/api/query-parameters.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Store, StoreCondition } from '../kernel/store.ts';
import type { LineFiles } from '../kernel/system.ts';
import { formatTimestamp } from '../kernel/timestamp.ts';
import { type CommandInput, type ExitCode, type Flag, UsageError } from './command.ts';
import {
  closeAfter,
  daemonFlags,
  fetchAllPages,
  flagParameters,
  openDaemonApi,
  takeMissingText,
  withoutDuplicates,
} from './daemon-api.ts';
import type { CliPorts } from './ports.ts';
import type { Terminal } from './table.ts';
import { printView, viewFlags } from './view.ts';

/** History that a running daemon returns, and that the state directory of a stopped daemon contains. */
export interface History<Item> {
  /** Path in the HTTP API. */
  readonly path: string;
  readonly item: Schema<Item>;
  /** Age of the oldest item without `--since`. */
  readonly since: string;
  /** Filter with which all ages are shown without `--since`. */
  readonly ofAnyAge?: string;
  /** Options that filter, with their help. */
  readonly filters: readonly Flag[];
  /** Column of each filter. */
  readonly columns: Readonly<Record<string, string>>;
  /** Reads the items that match from the store. */
  readonly read: (
    store: Store,
    where: readonly StoreCondition[],
    recordings: { readonly stateDir: string; readonly files: LineFiles },
  ) => Promise<Result<readonly Item[], string>>;
}

/** Options of a command that prints a history. `json` is the help of `--json`. */
export function historyFlags({ since, ofAnyAge, filters }: History<unknown>, json?: string): readonly Flag[] {
  const unlimited = ofAnyAge === undefined ? '' : `; none with --${ofAnyAge}`;
  const about = `age such as 2d, or a time such as 2026-01-31T12:00:00Z (default: ${since}${unlimited})`;
  return [
    { name: 'since', value: 'TIME', about },
    ...filters,
    ...viewFlags(json),
    ...daemonFlags.filter((flag) => flag.name !== 'state-dir'),
    { name: 'state-dir', value: 'DIR', about: 'read the state of a stopped daemon' },
  ];
}

/** Prints the items that match the options. `order` puts the latest at the end. */
export async function printHistory<Item>(
  history: History<Item>,
  given: CommandInput,
  ports: CliPorts,
  view: {
    readonly order: (latestFirst: readonly Item[]) => readonly Item[];
    readonly text: (items: readonly Item[], terminal: Terminal) => string;
  },
): Promise<ExitCode> {
  return await printView(given, ports, {
    load: async () => {
      const found = await loadHistory(history, given, ports);
      return found.ok ? ok(view.order(found.value)) : found;
    },
    text: view.text,
  });
}

/** Loads the items that match the options, latest first. */
export async function loadHistory<Item>(
  history: History<Item>,
  given: CommandInput,
  ports: CliPorts,
): Promise<Result<readonly Item[], string>> {
  const { 'state-dir': folder, url } = given.flags;
  if (folder !== undefined && url !== undefined) throw new UsageError('--state-dir and --url are mutually exclusive');
  const query = historyQuery(history, given, ports);
  if (folder !== undefined) return await readStateDir(folder, history, query, ports);
  const api = await openDaemonApi(given, ports);
  if (!api.ok) return api;
  const found = await closeAfter(api.value, (daemon) => fetchAllPages(daemon, history.path, query, history.item));
  ports.stderr.write(takeMissingText(api.value));
  return found.ok ? ok(withoutDuplicates(found.value)) : found;
}

/** Filters of the request. `since` is resolved once, so that all pages start at the same time. */
function historyQuery(history: History<unknown>, { flags }: CommandInput, { clock }: CliPorts): URLSearchParams {
  const query = flagParameters(
    flags,
    history.filters.map(({ name }) => name),
  );
  const { ofAnyAge } = history;
  if (flags.since === undefined && ofAnyAge !== undefined && flags[ofAnyAge] !== undefined) return query;
  const since = parseTimestamp('--since', flags.since ?? history.since, clock.now().wall);
  if (!since.ok) throw new UsageError(since.error);
  query.set('since', formatTimestamp(since.value));
  return query;
}

async function readStateDir<Item>(
  folder: string,
  { columns, read }: History<Item>,
  query: URLSearchParams,
  { clock, loadRuntime }: CliPorts,
): Promise<Result<readonly Item[], string>> {
  const where = rowConditions(query, columns, clock.now().wall);
  if (!where.ok) return where;
  const { openStoreReadOnly, lineFiles } = await loadRuntime();
  const store = await openStoreReadOnly(folder);
  if (!store.ok) return store;
  const recordings = { stateDir: folder, files: lineFiles };
  const items = await read(store.value, where.value, recordings);
  const isEmpty = items.ok && items.value.length === 0;
  const all = isEmpty ? await read(store.value, [], recordings) : items;
  await store.value.close();
  const problem = isEmpty && all.ok ? unknownValue(query, storedValues(all.value, Object.keys(columns))) : undefined;
  if (problem !== undefined) throw new UsageError(problem);
  return items;
}

/** Values of the fields `names` that occur in `items`. */
function storedValues(items: readonly unknown[], names: readonly string[]): KnownValues {
  const fields = items.map((item) => new Map<string, unknown>(Object.entries(item ?? {})));
  const values = (name: string) => fields.map((field) => field.get(name)).filter((value) => typeof value === 'string');
  return Object.fromEntries(names.map((name) => [name, { values: () => values(name) }]));
}
