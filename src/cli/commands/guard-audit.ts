import { type AuditEntry, auditEntrySchema } from '../../api/guard-audit.ts';
import { auditColumns, queryAudit } from '../../app/api/guard-audit-route.ts';
import { listEvidence } from '../../app/guard/recording-files.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { ok } from '../../kernel/result.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import type { Command } from '../command.ts';
import { type History, historyFlags, printHistory } from '../history.ts';
import { formatTable, formatTimeCell, type Terminal } from '../table.ts';

const history: History<AuditEntry> = {
  path: '/api/v1/guard/audit',
  item: auditEntrySchema,
  since: '7d',
  filters: [
    { name: 'policy', value: 'NAME', about: 'only aborts of this policy' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
    { name: 'node', value: 'NAME', about: 'only this node' },
  ],
  columns: auditColumns,
  read: async (store, where, { stateDir, files }) => {
    const page = await queryAudit(store, where, { evidence: await listEvidence(stateDir, files) });
    return page.ok ? ok(page.value.items) : page;
  },
};

/** Lists the aborts of the guard and the actions of operators. */
export const guardAudit: Command = {
  flags: historyFlags(history, 'print a JSON array with all evidence'),
  details:
    'Oldest first, times in UTC. AGE is the age of the query when the guard decided to abort it. PROCESS LISTS is the ' +
    'command that replays the process lists around the abort, if they are still recorded.',
  examples: ['guard audit', 'guard audit --since 2d --policy runaway', 'guard audit --state-dir state --json'],
  run: (given, ports) =>
    printHistory(history, given, ports, { order: (found) => found.toReversed(), text: auditTable }),
};

const auditHeader = ['TIME', 'WHAT', 'WHERE', 'OUTCOME', 'WHY', 'AGE', 'SKIP REASON', 'PROCESS LISTS'];

/** Audit entries as a table, in the given order. */
export function auditTable(entries: readonly AuditEntry[], terminal?: Terminal): string {
  return entries.length === 0 ? 'no audit entries\n' : formatTable([auditHeader, ...entries.map(auditRow)], terminal);
}

function auditRow(entry: AuditEntry): readonly string[] {
  const { kind, at, cluster, node, ageSeconds, outcome, skipReason, damaged } = entry;
  return [
    formatTimeCell(at),
    kind === 'operator_action' ? `${entry.action} ${entry.subject}`.trimEnd() : `${entry.query} on ${entry.graph}`,
    node === '' ? cluster : `${cluster}/${node}`,
    kind === 'abort' && outcome === '' ? '(open)' : outcome,
    formatAuditReason(entry),
    ageSeconds === null ? '' : formatElapsed(ageSeconds * 1000),
    damaged ? 'damaged row' : skipReason,
    kind === 'abort' && entry.replayCommand === '' ? 'not kept' : entry.replayCommand,
  ].map(replaceControlCharacters);
}

function formatAuditReason({ policy, by, reason }: AuditEntry): string {
  if (by === '') return policy;
  return reason === '' ? `by ${by}` : `by ${by}: ${reason}`;
}
