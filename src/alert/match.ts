import type { Match } from './alerting.ts';

/** Whether labels have what a match asks for; an empty one asks for nothing. */
export function matches(match: Match, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(match).every(([name, values]) => values.includes(labels[name] ?? ''));
}
