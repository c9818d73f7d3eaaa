import { err, ok, type Result } from './result.ts';
import type { Millis } from './time.ts';

const unitMillis: Readonly<Record<string, Millis>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads `250ms`, `10s`, `5m`, `1h30m`, `400d` as Prometheus users write durations; the error is a sentence. */
export function parseDuration(text: string): Result<Millis, string> {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/gy)];
  const read = parts.reduce((length, part) => length + part[0].length, 0);
  if (text === '' || read !== text.length) {
    return err(`'${text}' is not a duration: write a number with a unit, such as 250ms, 10s, 5m, 1h30m or 7d`);
  }
  return ok(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMillis[unit ?? ''] ?? 0), 0));
}

/** Writes a duration the way {@link parseDuration} reads it, in the fewest parts. */
export function formatDuration(length: Millis): string {
  let rest = Math.round(length);
  let text = '';
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const size = unitMillis[unit] ?? 1;
    const amount = Math.floor(rest / size);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * size;
  }
  return text === '' ? '0s' : text;
}
