import { Buffer } from 'node:buffer';
import type { ParsedFamily, ParsedSeries } from '../model/exposition.ts';
import { type Draft, isSeries } from './fragment.ts';
import { type BaseLabels, labelText, linePrefix } from './labels.ts';

const ownPrefixes = ['graphdb_', 'graphwarden_', 'process_', 'nodejs_'];

/** True for a name that only a family of ours may have. */
export function isOurs(name: string): boolean {
  return ownPrefixes.some((prefix) => name.startsWith(prefix));
}

/** Makes a family of the server ready to be handed on, under its own name and labels. */
export function serverDraft({ name, type, help, series, values }: ParsedFamily, base: BaseLabels, valueBytes: number) {
  const draft: Draft = {
    family: { name, type, help },
    rows: {
      keys: series,
      values,
      // The parser gives the same object for the same series: there is nothing else to compare.
      same: () => false,
      prefix: (key) => (isSeries(key) ? serverPrefix(key, base, valueBytes) : ''),
      // The parser lets no series come twice, and what is handed on as it is written stays different.
      unique: (key) => isSeries(key) && key.text !== undefined && fitsAsItIs(key.text, base, valueBytes),
    },
  };
  return draft;
}

function serverPrefix(series: ParsedSeries, base: BaseLabels, valueBytes: number): string {
  const { name, text } = series;
  if (text !== undefined && fitsAsItIs(text, base, valueBytes)) {
    const labels = text.slice(name.length + 1, -1);
    return linePrefix(name, base.text, labels === '' ? [] : [labels]);
  }
  const { pairs } = series;
  const own: string[] = [];
  let renamed = false;
  for (let at = 0; at < pairs.length; at += 2) {
    const label = pairs[at] ?? '';
    const free = base.names.has(label) ? exportedName(label, base, pairs) : label;
    renamed ||= free !== label;
    own.push(labelText(free, pairs[at + 1] ?? '', valueBytes));
  }
  // Servers sort their labels; a series that has this name already must look the same, or the repeat is not seen.
  return linePrefix(name, base.text, renamed ? own.toSorted() : own);
}

/** No label has to be renamed or cut. A false no, by a value that looks like a label, costs time alone. */
function fitsAsItIs(text: string, base: BaseLabels, valueBytes: number): boolean {
  if (Buffer.byteLength(text) > valueBytes) return false;
  return !base.names.values().some((name) => text.includes(`${name}="`));
}

/** As Prometheus does with a label that a scraper wants for itself: `exported_` until the name is free. */
function exportedName(label: string, base: BaseLabels, pairs: readonly string[]): string {
  let free = `exported_${label}`;
  while (base.names.has(free) || pairs.some((name, at) => at % 2 === 0 && name === free)) free = `exported_${free}`;
  return free;
}
