import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Output } from '../kernel/system.ts';
import { formatDateTime } from '../kernel/timestamp.ts';

/** Properties of the output that decide how a table is printed; a pipe gets neither line breaks nor colors. */
export interface Terminal extends Pick<Output, 'columns' | 'hasColors'> {
  /** True: no line breaks. False: columns that do not fit are hidden. Absent: cells are wrapped, and no column is hidden. */
  readonly wide?: boolean;
}

const gap = 2;
/** Width up to which a cell is not wrapped. */
const minWidth = 20;
/** Maximum length of a word that is not broken, so that users can copy IDs. */
const maxWordWidth = 40;

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;

/**
 * Formats rows as aligned columns without trailing blanks. The first row is the header, and the first column is the most
 * important one. On a terminal, long cells are wrapped.
 */
export function formatTable(rows: readonly (readonly string[])[], terminal: Terminal = {}): string {
  const widths = columnWidths(rows, terminal);
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
  });
  const cells = rows.map((row) => row.slice(0, widths.length).map((cell, column) => wrap(cell, widths[column] ?? 0)));
  table.push(...cells.map((row, at) => (at === 0 ? row.map((cell) => formatHead(cell, terminal)) : row)));
  const lines = table.toString().split('\n');
  const hidden = rows[0]?.slice(widths.length) ?? [];
  const note =
    hidden.length === 0 ? '' : `${wrap(`not shown: ${hidden.join(', ')} (--wide)`, terminal.columns ?? 0)}\n`;
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n${note}`;
}

function formatHead(text: string, { hasColors = false }: Terminal): string {
  return hasColors ? styleText('bold', text, { validateStream: false }) : text;
}

/** Widths of the columns that are shown. */
function columnWidths(
  rows: readonly (readonly string[])[],
  { columns = Number.POSITIVE_INFINITY, wide }: Terminal,
): readonly number[] {
  const cells = rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '')) ?? [];
  const natural = cells.map((column) => Math.max(...column.map(displayWidth)));
  if (wide === true) return natural;
  const words = cells.map((column) => Math.max(...column.flatMap((cell) => cell.split(' ')).map(displayWidth)));
  const unbroken = words.map((word) => Math.max(minWidth, Math.min(maxWordWidth, word)));
  const fitColumns = (smallest: readonly number[], shown: number): readonly number[] | undefined =>
    shrink(natural.slice(0, shown), smallest, columns - gap * (shown - 1));
  if (wide === undefined) {
    const all = natural.length;
    return (
      fitColumns(unbroken, all) ??
      fitColumns(
        words.map(() => minWidth),
        all,
      ) ??
      natural
    );
  }
  for (let shown = natural.length; shown > 0; shown -= 1) {
    const widths = fitColumns(unbroken, shown);
    if (widths !== undefined) return widths;
  }
  return [columns];
}

/** Shrinks the widest columns until all fit into `space`; returns undefined if they cannot. */
function shrink(natural: readonly number[], smallest: readonly number[], space: number): readonly number[] | undefined {
  const widths = [...natural];
  while (widths.reduce((sum, width) => sum + width, 0) > space) {
    const shrinkable = widths.map((width, column) => (width > (smallest[column] ?? 0) ? width : 0));
    const widest = Math.max(...shrinkable);
    if (widest <= 0) return undefined;
    widths[shrinkable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** Breaks a text into lines of at most `width`, between words where possible. */
export function wrap(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => breakWord(one, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) > width) lines.push(line);
    line = displayWidth(longer) > width ? word : longer;
  }
  return [...lines, line].join('\n');
}

function breakWord(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && displayWidth(piece + character) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

const doubleWidth = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/g;

function displayWidth(text: string): number {
  return Array.from(text).length + (text.match(doubleWidth)?.length ?? 0);
}

/** Formats an ISO timestamp as `2026-01-31 12:00:00Z`; `-` if it is empty. */
export function formatTimeCell(timestamp: string): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? '-' : `${formatDateTime(time)}Z`;
}

/** Formats a duration as `1:02:03`, so that ages in a column are easy to compare; empty if it is unknown. */
export function formatClock(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
