import type { AuditEntry } from '../api/guard-audit.ts';
import { formatElapsed } from '../kernel/duration.ts';
import { formatTable, formatTimeCell, replaceControlCharacters, type Terminal } from './table.ts';

const auditHeader = ['TIME', 'WHERE', 'WHAT', 'WHY', 'AGE', 'OUTCOME', 'SKIP REASON'];

/** Audit entries as a table, in the given order. */
export function auditTable(entries: readonly AuditEntry[], terminal?: Terminal): string {
  return entries.length === 0 ? 'no audit entries\n' : formatTable([auditHeader, ...entries.map(auditRow)], terminal);
}

function auditRow(entry: AuditEntry): readonly string[] {
  const { kind, at, cluster, node, ageSeconds, outcome, skipReason, damaged } = entry;
  return [
    formatTimeCell(at),
    node === '' ? cluster : `${cluster}/${node}`,
    kind === 'operator_action' ? `${entry.action} ${entry.subject}`.trimEnd() : `${entry.query} on ${entry.graph}`,
    formatAuditReason(entry),
    ageSeconds === null ? '' : formatElapsed(ageSeconds * 1000),
    kind === 'abort' && outcome === '' ? '(open)' : outcome,
    damaged ? 'damaged row' : skipReason,
  ].map(replaceControlCharacters);
}

function formatAuditReason({ policy, by, reason }: AuditEntry): string {
  if (by === '') return policy;
  return reason === '' ? `by ${by}` : `by ${by}: ${reason}`;
}
