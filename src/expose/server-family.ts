import { Buffer } from 'node:buffer';
import type { ParsedFamily, ParsedSeries } from '../model/exposition.ts';
import { type FamilyDraft, isSeries } from './fragment.ts';
import { type BaseLabels, formatLabel, type LabelLimit, linePrefix } from './labels.ts';

/** Prepares a family of the server for pass-through, under its own name and labels. */
export function draftServerFamily(
  { name, type, help, series, values }: ParsedFamily,
  base: BaseLabels,
  limit: LabelLimit,
) {
  const draft: FamilyDraft = {
    family: { name, type, help },
    rows: {
      keys: series,
      values,
      // The parser returns the same object for the same series, so comparing objects is enough.
      same: () => false,
      prefix: (key) => (isSeries(key) ? serverLinePrefix(key, base, limit) : ''),
      // The parser drops duplicate series, and verbatim series stay distinct.
      unique: (key) => isSeries(key) && key.text !== undefined && fitsUnchanged(key.text, base, limit),
    },
  };
  return draft;
}

function serverLinePrefix(series: ParsedSeries, base: BaseLabels, limit: LabelLimit): string {
  const { name, text } = series;
  if (text !== undefined && fitsUnchanged(text, base, limit)) {
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
    own.push(formatLabel(free, pairs[at + 1] ?? '', limit));
  }
  // Servers sort their labels; a series that already has this name must render the same, or the duplicate is missed.
  return linePrefix(name, base.text, renamed ? own.toSorted() : own);
}

/**
 * Returns whether no label must be renamed or cut. A false no, for a value that looks like a label, only costs time.
 */
function fitsUnchanged(text: string, base: BaseLabels, { valueBytes }: LabelLimit): boolean {
  if (Buffer.byteLength(text) > valueBytes) return false;
  return !base.names.values().some((name) => text.includes(`${name}="`));
}

/** Renames a label as Prometheus does: `exported_` is prepended until the name is free. */
function exportedName(label: string, base: BaseLabels, pairs: readonly string[]): string {
  let free = `exported_${label}`;
  while (base.names.has(free) || pairs.some((name, at) => at % 2 === 0 && name === free)) free = `exported_${free}`;
  return free;
}
