import type { Row } from '../../kernel/store.ts';
import type { Database } from './database.ts';

/** Values of labels as version 1 stored them: an alert is silenced if each label has one of its values. */
type LabelValues = Readonly<Record<string, readonly string[]>>;

/** Longest regular expression that a matcher may have. */
const maxExpressionLength = 256;

/** Maximum number of silences that one silence of version 1 becomes. */
const maxSilencesPerRow = 100;

/**
 * Migrates silences from version 1, which has a mapping of labels to values in the column `match`, to version 2, which
 * has a list of Alertmanager matchers in the column `matchers`. Rows that version 1 could not read are deleted.
 */
export function convertSilences(database: Database): void {
  const columns = database.texts("SELECT name FROM pragma_table_info('silences')");
  // Builds between the two versions already stored matchers.
  if (!columns.includes('match')) return;
  database.run('ALTER TABLE silences RENAME COLUMN "match" TO matchers');
  const rows = database.rows('SELECT * FROM silences');
  database.apply({ table: 'silences', drop: {} });
  for (const row of rows.flatMap(convertSilence)) database.apply({ table: 'silences', put: row });
}

/** Returns the rows of version 2 for a row of version 1: several if its values do not fit into one matcher. */
function convertSilence(row: Row): readonly Row[] {
  const values = parseLabelValues(String(row.matchers));
  if (values === undefined) return [];
  return matcherLists(values).map((matchers, index) => {
    const id = index === 0 ? row.id : `${row.id}-${index + 1}`;
    return { ...row, id: id ?? '', matchers: JSON.stringify(matchers) };
  });
}

function parseLabelValues(text: string): LabelValues | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLabelValues(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLabelValues(value: unknown): value is LabelValues {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'));
}

/** Returns lists of matchers of which at least one matches exactly where the values of version 1 did. */
export function matcherLists(values: LabelValues): readonly (readonly string[])[] {
  let lists: readonly (readonly string[])[] = [[]];
  for (const [name, allowed] of Object.entries(values)) {
    const matchers = matchersOf(name, allowed);
    lists = lists.flatMap((list) => matchers.map((matcher) => [...list, matcher])).slice(0, maxSilencesPerRow);
  }
  return lists;
}

/** Returns matchers of which one matches if the label has one of the values. */
function matchersOf(name: string, values: readonly string[]): readonly string[] {
  const groups: string[][] = [];
  for (const value of values) {
    const last = groups.at(-1);
    if (last !== undefined && alternatives([...last, value]).length <= maxExpressionLength) last.push(value);
    else groups.push([value]);
  }
  return groups.map((group) =>
    group.length === 1 ? `${name}=${quote(group[0] ?? '')}` : `${name}=~${quote(alternatives(group))}`,
  );
}

function alternatives(values: readonly string[]): string {
  return values.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|');
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
