import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Output } from '../kernel/system.ts';
import { formatDateTime } from '../kernel/timestamp.ts';

/** Properties of the output that decide how a table is printed; a pipe gets neither line breaks nor colours. */
export type Terminal = Pick<Output, 'columns' | 'hasColors'>;

const gap = 2;
/** Width below which a column is not wrapped: the line then exceeds the terminal. */
const minWidth = 16;

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

/** Aligned columns without trailing blanks. The first row is the header. On a terminal, the widest column wraps. */
export function formatTable(rows: readonly (readonly string[])[], terminal: Terminal = {}): string {
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] },
    ...wrapping(rows, terminal.columns),
  });
  table.push(...rows.map((row, at) => row.map((cell) => (at === 0 ? formatHead(cell, terminal) : cell))));
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function formatHead(text: string, { hasColors = false }: Terminal): string {
  return hasColors ? styleText('bold', text, { validateStream: false }) : text;
}

function wrapping(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): Partial<Table.TableConstructorOptions> {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const surplus = widths.reduce((sum, width) => sum + width + gap, -gap) - (columns ?? Number.POSITIVE_INFINITY);
  const widest = widths.indexOf(Math.max(...widths));
  const width = (widths[widest] ?? 0) - surplus;
  if (surplus <= 0 || width < minWidth) return {};
  const longestWord = Math.max(...rows.flatMap((row) => (row[widest] ?? '').split(' ').map((word) => word.length)));
  const colWidths = widths.map((_, column) => (column === widest ? width + gap : null));
  return { colWidths, wordWrap: true, wrapOnWordBoundary: longestWord <= width };
}

/** Time as `2026-01-31 12:00:00Z`, from an ISO timestamp; `-` without one. */
export function formatTimeCell(timestamp: string): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? '-' : `${formatDateTime(time)}Z`;
}

/** Duration as `1:02:03`, so that ages in a column are easy to compare; empty if it is not known. */
export function formatClock(seconds: number | null): string {
  if (seconds === null) return '';
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}` : `${minutes}:${twoDigits(whole % 60)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
