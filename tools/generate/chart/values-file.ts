import { stringify } from 'yaml';
import { generatedNotice } from '../generated-file.ts';
import type { Fields, Json, Value } from './value.ts';

/** Returns values.yaml: every value with its meaning and its default. */
export function valuesFile(fields: Fields): string {
  return `# Values of the chart graphwarden.\n# ${generatedNotice}\n\n${lines(fields, 0).join('\n')}\n`;
}

function lines(fields: Fields, depth: number): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => [
    ...wrapped(value.about, depth),
    ...entry(name, value, depth),
    ...(depth === 0 ? [''] : []),
  ]);
}

function entry(name: string, value: Value, depth: number): readonly string[] {
  if (value.kind === 'section') return [indented(`${name}:`, depth), ...lines(value.fields, depth + 1)];
  return indentedAll(stringify({ [name]: value.defaultValue }, { lineWidth: 0, version: '1.1' }), depth);
}

/** Returns the defaults of a section as plain data. */
export function defaultsOf(fields: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value.kind === 'section' ? defaultsOf(value.fields) : value.defaultValue,
    ]),
  );
}

function wrapped(about: string, depth: number): readonly string[] {
  const width = 118 - 2 * depth;
  const rows = about.match(new RegExp(`.{1,${width}}(?:\\s|$)`, 'g')) ?? [];
  return rows.map((row) => indented(`# ${row.trimEnd()}`, depth));
}

function indentedAll(yaml: string, depth: number): readonly string[] {
  return yaml
    .trimEnd()
    .split('\n')
    .map((line) => indented(line, depth));
}

function indented(line: string, depth: number): string {
  return `${'  '.repeat(depth)}${line}`;
}
