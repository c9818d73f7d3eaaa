import type { GuardReport } from '../app/guard-report.ts';
import { pauseWords } from '../app/pause-words.ts';
import { aligned, printable } from './aligned.ts';

/** How the guard stands, for a person. */
export function guardTable({ paused, reasons, mode, policies, breakers }: GuardReport): string {
  return [
    standing(
      { paused, mode },
      policies.some((one) => one.mode === 'enforce'),
    ),
    ...reasons.map((one) => `  ${pauseWords[one]}`),
  ]
    .map((line) => `${line}\n`)
    .concat(policies.length === 0 ? [] : ['\n', aligned([['POLICY', 'MODE'], ...policies.map(rowOf)])])
    .concat(breakers.length === 0 ? [] : ['\n', breakerTable(breakers)])
    .join('');
}

function standing({ paused, mode }: Pick<GuardReport, 'paused' | 'mode'>, isEnforcing: boolean): string {
  if (paused) return 'the guard is paused: it aborts nothing';
  if (mode === 'observe') return 'the guard observes: it aborts nothing by itself';
  return isEnforcing ? 'the guard aborts what breaks policy' : 'no policy enforces: the guard aborts nothing by itself';
}

function rowOf({ name, mode }: GuardReport['policies'][number]): readonly string[] {
  return [printable(name), mode];
}

function breakerTable(breakers: GuardReport['breakers']): string {
  const rows = breakers.map(({ cluster, key, since }) => [momentOf(since), cluster, key].map(printable));
  return aligned([['OPEN SINCE', 'CLUSTER', 'BREAKER'], ...rows]);
}

function momentOf(since: string): string {
  return since === '' ? '' : `${new Date(since).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
