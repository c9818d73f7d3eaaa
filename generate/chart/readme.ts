import { table } from '../document.ts';
import type { Fields, Json, Value } from './value.ts';

const head = ['value', 'type', 'default', 'meaning'];

/** The tables of the chart's README: first what stands alone, then one for each section. */
export function valueTables(fields: Fields): string {
  const all = Object.entries(fields);
  const alone = all.filter(([, value]) => value.kind === 'leaf').map(([name, value]) => row(name, value));
  const grouped = all.flatMap(([name, value]) => (value.kind === 'leaf' ? [] : [group(name, value)]));
  return [table(head, alone), ...grouped].join('\n\n');
}

function group(name: string, value: Exclude<Value, { kind: 'leaf' }>): string {
  return [`### \`${name}\``, value.about, table(head, rows(path(name, value), value.fields))].join('\n\n');
}

function rows(prefix: string, fields: Fields): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const at = `${prefix}.${name}`;
    return value.kind === 'leaf' ? [row(at, value)] : rows(path(at, value), value.fields);
  });
}

function path(name: string, { kind }: Value): string {
  return kind === 'entries' ? `${name}[]` : name;
}

function row(name: string, value: Value): readonly string[] {
  const type = value.kind === 'leaf' ? value.type : '';
  return [`\`${name}\``, type, value.kind === 'section' ? '' : shown(value.fallback), value.about];
}

function shown(fallback: Json): string {
  if (fallback === '' || fallback === null) return '';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
