import type { GuardReport } from '../api/guard.ts';
import { replaceControlCharacters } from '../kernel/visible-text.ts';
import { formatTimeCell } from './table.ts';

/** Returns the lines about a rejected configuration file. */
export function rejectionLines({ since, problem }: NonNullable<GuardReport['rejectedConfig']>): string {
  const first = `configuration file rejected since ${formatTimeCell(since)}, its last accepted version is in force`;
  return `${first}\n  ${replaceControlCharacters(problem)}\n`;
}
