import { follow, isContainer, memberOf, type ValuePath } from './value-path.ts';

/** Definition that does not match what the query printed. The message is a sentence without values of the server. */
export class Mismatch extends Error {}

/** Maximum number of member names that a message lists. */
const maxNames = 8;
const longestName = 40;

/** Rows that a query printed, and whether messages may list the names of members, which can be data of users. */
export interface PrintedRows {
  readonly rows: readonly object[];
  readonly names: boolean;
}

/** Returns the rows at a path, by default the first printed object. Throws {@link Mismatch}. */
export function rowsAt(path: ValuePath | undefined, results: unknown, names: boolean): PrintedRows {
  const found = path === undefined ? firstPrinted(results) : valueAt(path, results, names);
  const text = path === undefined ? 'the first printed value' : quoted(path);
  if (path?.isEach === true) return { rows: membersOf(found, text), names };
  if (Array.isArray(found)) return { rows: found.map(asRow), names };
  if (isContainer(found)) return { rows: [found], names };
  throw new Mismatch(`rows: ${text} is ${kindOf(found)}, not a list or an object; remove the last step`);
}

function firstPrinted(results: unknown): unknown {
  if (!Array.isArray(results)) return results;
  if (results.length === 0) throw new Mismatch('rows: the query prints nothing; add a PRINT statement to it');
  return results[0];
}

/** Returns a row for each member of a printed map, which is an object. */
function membersOf(found: unknown, text: string): readonly object[] {
  if (isContainer(found) && !Array.isArray(found)) {
    return Object.keys(found).map((key) => ({ key, value: memberOf(found, key) }));
  }
  const advice = Array.isArray(found) ? 'a list needs no `*`' : 'the step before it must lead to an object';
  throw new Mismatch(`rows: the \`*\` of ${text} follows ${kindOf(found)}; ${advice}`);
}

function asRow(row: unknown, at: number): object {
  if (isContainer(row) && !Array.isArray(row)) return row;
  throw new Mismatch(`rows: row ${at} is ${kindOf(row)}, not an object; print rows with named members`);
}

function valueAt(path: ValuePath, results: unknown, names: boolean): unknown {
  const found = follow(results, path.steps);
  if ('value' in found) return found.value;
  throw new Mismatch(
    `rows: ${quoted(path)} does not match: ${missingStep(path, found.steps, { from: results, names })}`,
  );
}

/** Throws {@link Mismatch} unless a path leads to a value in at least one row; without rows, nothing contradicts it. */
export function requireMatch(key: string, path: ValuePath, { rows, names }: PrintedRows): void {
  const [first] = rows;
  if (first === undefined || rows.some((row) => 'value' in follow(row, path.steps))) return;
  const found = follow(first, path.steps);
  const steps = 'steps' in found ? found.steps : 0;
  const missing = missingStep(path, steps, { from: first, names });
  throw new Mismatch(`${key}: ${quoted(path)} matches no row: ${missing}`);
}

function missingStep(
  { steps }: ValuePath,
  known: number,
  { from, names }: { readonly from: unknown; readonly names: boolean },
): string {
  const before = steps.slice(0, known);
  const reached = follow(from, before);
  const container = 'value' in reached ? reached.value : undefined;
  const subject = known === 0 ? 'the value' : `"${before.join('.')}"`;
  const missing = steps[known] ?? '';
  if (!isContainer(container)) return `${subject} is ${kindOf(container)}, which has no member "${missing}"`;
  if (!Array.isArray(container)) return `${subject} has no member "${missing}"${namesOf(container, names)}`;
  if (/^\d+$/.test(missing)) return `${subject} is a list of ${container.length}, without the element ${missing}`;
  return `${subject} is a list, whose elements have numbers; write for example ${[...before, '0', missing].join('.')}`;
}

function namesOf(container: object, names: boolean): string {
  if (!names) return '; `graphwarden custom try` lists its members';
  const all = Object.keys(container);
  const listed = all.slice(0, maxNames).map((name) => `"${name.slice(0, longestName)}"`);
  const more = all.length > maxNames ? ` and ${all.length - maxNames} more` : '';
  return all.length === 0 ? '; it has no members' : `; it has ${listed.join(', ')}${more}`;
}

/** Returns a path as messages show it. */
export function quoted({ text }: ValuePath): string {
  return `\`${text}\``;
}

/** Returns the kind of a JSON value, without the value. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    object: 'an object',
  };
  return kinds[typeof value] ?? 'unknown';
}
