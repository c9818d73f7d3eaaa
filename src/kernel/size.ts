import { err, ok, type Result } from './result.ts';

const unitBytes: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);

/** Parses `512KiB`, `64MiB`, `2GiB` or `100MB` as bytes; the error is a sentence that does not repeat the text. */
export function parseSize(text: string): Result<number, string> {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s?([A-Za-z]+)$/.exec(text) ?? [];
  const bytes = unitBytes.get(unit ?? '');
  if (bytes === undefined) return err('is not a size: write a number with a unit, such as 512KiB, 64MiB or 2GiB');
  return ok(Math.round(Number(amount) * bytes));
}

/** Formats bytes as {@link parseSize} accepts them, in the largest binary unit without a fraction. */
export function formatSize(bytes: number): string {
  const unit = ['TiB', 'GiB', 'MiB', 'KiB'].find((name) => bytes !== 0 && bytes % (unitBytes.get(name) ?? 1) === 0);
  return unit === undefined ? `${bytes}B` : `${bytes / (unitBytes.get(unit) ?? 1)}${unit}`;
}
