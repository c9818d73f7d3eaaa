import { formatTimestamp } from '../../../kernel/timestamp.ts';

/** `1 node`, `3 nodes`. */
export function count(amount: number, thing: string): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? thing : plural(thing)}`;
}

const longestName = 100;

/** `m1`, `m1 and m2`, `m1, m2 and m3`; the rest of a long list is only counted. */
export function list(items: readonly string[], atMost = 8): string {
  const named = items.slice(0, atMost).map((item) => short(item, longestName));
  const shown = items.length > atMost ? [...named, `${items.length - atMost} more`] : named;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** `53.6 GiB`. */
export function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** `2026-09-22`. */
export function day(wall: number): string {
  return formatTimestamp(wall).slice(0, 10);
}

/** Cuts a text of unknown length, such as an error message of a server. */
export function short(text: string, atMost = 300): string {
  return text.length > atMost ? `${text.slice(0, atMost)}…` : text;
}

/** With a full stop at its end. Its begin stays as it is: it may be a name. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function plural(thing: string): string {
  return /[^aeiou]y$/.test(thing) ? `${thing.slice(0, -1)}ies` : `${thing}s`;
}
