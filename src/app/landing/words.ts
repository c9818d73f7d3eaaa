import type { Millis } from '../../kernel/time.ts';

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

const units: readonly (readonly [size: Millis, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** A length of time to the precision that a person wants: `40 s`, `4 min 20 s`, `3 h 5 min`, `12 d 4 h`. */
export function span(length: Millis): string {
  const seconds = Math.floor(Math.max(0, length) / 1000) * 1000;
  const largest = units.findIndex(([size]) => seconds >= size);
  if (largest < 0) return '0 s';
  let rest = seconds;
  const parts = units.slice(largest, largest + 2).map(([size, name]) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount === 0 ? '' : `${amount} ${name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

/** `53.6 GiB`. */
export function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** `2026-09-22 04:53:20 UTC`. */
export function moment(wall: number): string {
  return `${isoDate(wall).slice(0, 19).replace('T', ' ')} UTC`;
}

/** `2026-09-22`. */
export function day(wall: number): string {
  return isoDate(wall).slice(0, 10);
}

/** A text of somebody else, no longer than a person reads. */
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

/** A server may name any number as a date; beyond what the calendar can hold, the nearest one is said. */
function isoDate(wall: number): string {
  return new Date(Math.min(Math.max(wall, 0), Date.UTC(9999, 11, 31)) || 0).toISOString();
}
