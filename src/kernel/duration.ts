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

/** Parses a Prometheus duration such as `250ms`, `10s`, `5m`, `1h30m` or `400d`; the error is a sentence. */
export function parseDuration(text: string): Result<Millis, string> {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/gy)];
  const parsed = parts.reduce((length, part) => length + part[0].length, 0);
  if (text === '' || parsed !== text.length) {
    return err(`'${text}' is not a duration: write a number with a unit, such as 250ms, 10s, 5m, 1h30m or 7d`);
  }
  return ok(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMillis[unit ?? ''] ?? 0), 0));
}

/** Formats a duration as {@link parseDuration} accepts it, in the fewest parts. */
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

const elapsedUnits = ['d', 'h', 'm', 's'] as const;

/** Formats a duration for people, in its largest unit and the next one: `3m 20s`. Below one second: `250ms`. */
export function formatElapsed(length: Millis): string {
  if (length < 1000) return formatDuration(Math.max(0, length));
  let rest = Math.floor(length / 1000) * 1000;
  const first = elapsedUnits.findIndex((unit) => rest >= (unitMillis[unit] ?? 1));
  const parts = elapsedUnits.slice(first, first + 2).map((unit) => {
    const size = unitMillis[unit] ?? 1;
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
