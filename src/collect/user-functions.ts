import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { CodeDigest, CodeList, UserFunctions } from '../model/functions.ts';
import type { InventoryChange, InventoryItem } from '../model/inventory.ts';
import { collector } from './collector.ts';
import { inventoryChanges } from './inventory.ts';
import { distinctBy } from './keyed-rows.ts';

const source = 'GET /gsql/v1/udt/files/{file}, /gsql/v1/library, /gsql/v1/udt/tuples';

const digest = gauge({
  name: 'graphdb_function_code_digest',
  help: 'Digest of user-defined code as a number, which changes once two replies agree on new code; 0 if two polls found no such file.',
  labels: ['code'],
  source,
});

const count = gauge({
  name: 'graphdb_functions',
  help: 'Number of library functions and of user-defined tuples, by kind.',
  labels: ['kind'],
  source: 'GET /gsql/v1/library, /gsql/v1/udt/tuples',
});

const uncompared = gauge({
  name: 'graphdb_functions_uncompared',
  help: 'Number of library functions and tuples beyond the first 1000 of each, whose changes are not reported one by one.',
  source: 'GET /gsql/v1/library, /gsql/v1/udt/tuples',
  countsDropped: true,
});

/** Number of hexadecimal digits of a digest that a number can hold exactly. */
const exactDigits = 12;

/** Names of the changed objects in the log, by list. */
const objects: Readonly<Record<CodeList, string>> = { library: 'library_function', tuples: 'tuple' };

/** User-defined functions and tuples: code that runs inside the engine, with its privileges. */
export const userFunctions = collector<UserFunctions>({
  name: 'user_functions',
  about:
    'Digests of the files with user-defined functions, of library functions and of tuples; reports those that were added, removed or changed. Five requests to the GSQL server per poll, and one more for each changed content. Disabled by default.',
  scope: 'cluster',
  metrics: [digest, count, uncompared],
  defaults: { enabled: false, interval: 900_000, timeout: 60_000 },
  calls: ['userFunctions'],
  privilege: 'READ_FILE',
  poll: (db, signal) => db.userFunctions(signal),
  samples,
  inventory: { objects: ['function_file', ...Object.values(objects)], changes },
});

function* samples({ digests, items, counts }: UserFunctions): Generator<Sample> {
  for (const { code, digest: hexadecimal } of digests) {
    const value = hexadecimal === '' ? 0 : Number.parseInt(hexadecimal.slice(0, exactDigits), 16);
    yield sample(digest, { code }, value);
  }
  for (const [kind, amount] of Object.entries(counts)) yield sample(count, { kind }, amount);
  const all = Object.values(counts).reduce((sum, amount) => sum + amount, 0);
  yield sample(uncompared, {}, Math.max(0, all - items.length));
}

function* changes(before: UserFunctions, after: UserFunctions): Generator<InventoryChange> {
  yield* inventoryChanges('function_file', fileItems(before.digests), fileItems(after.digests));
  for (const list of ['library', 'tuples'] as const) {
    yield* inventoryChanges(objects[list], itemsOf(before, list), itemsOf(after, list));
  }
}

function fileItems(digests: readonly CodeDigest[]): readonly InventoryItem[] {
  return digests
    .filter((one) => one.code !== 'library' && one.code !== 'tuples' && one.digest !== '')
    .map((one) => ({ name: one.code, parts: [`sha256 ${one.digest.slice(0, exactDigits)}`] }));
}

function itemsOf({ items }: UserFunctions, list: CodeList): readonly InventoryItem[] {
  return [
    ...distinctBy(
      items.filter((item) => item.list === list),
      ({ name }) => name,
    ),
  ];
}
