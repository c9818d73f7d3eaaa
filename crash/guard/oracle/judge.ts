import type { Evidence, Finding } from '../evidence.ts';
import { spendingOf } from './budgets.ts';
import { type Chance, chancesOf } from './chances.ts';
import { wrongRequests } from './requests.ts';
import { wrongRows } from './rows.ts';

/** What came of it all. */
export interface Judgement {
  readonly findings: readonly Finding[];
  /** One for each life. */
  readonly chances: readonly Chance[];
  readonly full: number;
  readonly closest: number;
}

/** Judges by what the simulated cluster received and what ran there. The daemon's own rows are judged by that too. */
export function judge(evidence: Evidence): Judgement {
  const { findings, full, closest } = spendingOf(evidence);
  return {
    findings: [...wrongRequests(evidence), ...findings, ...wrongRows(evidence)],
    chances: chancesOf(evidence),
    full,
    closest,
  };
}
