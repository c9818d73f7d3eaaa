import type { AuditReport } from '../app/guard-audit.ts';
import { aligned, printable } from './aligned.ts';
import { lengthOf } from './timeline-table.ts';

const header = ['TIME', 'WHERE', 'WHAT', 'WHY', 'AGE', 'OUTCOME', 'DOUBT'];

/** The audit as people read it, in the order given. */
export function auditTable(reports: readonly AuditReport[]): string {
  return reports.length === 0 ? 'nothing was aborted or done\n' : aligned([header, ...reports.map(rowOf)]);
}

function rowOf(report: AuditReport): readonly string[] {
  const { kind, at, cluster, node, ageSeconds, outcome, doubt, damaged } = report;
  return [
    `${at.slice(0, 19).replace('T', ' ')}Z`,
    node === '' ? cluster : `${cluster}/${node}`,
    kind === 'act' ? `${report.what} ${report.subject}`.trimEnd() : `${report.query} on ${report.graph}`,
    whyOf(report),
    ageSeconds === null ? '' : lengthOf(ageSeconds),
    kind === 'abort' && outcome === '' ? '(open)' : outcome,
    damaged ? 'this row is damaged' : doubt,
  ].map(printable);
}

function whyOf({ policy, by, reason }: AuditReport): string {
  if (by === '') return policy;
  return reason === '' ? `by ${by}` : `by ${by}: ${reason}`;
}
