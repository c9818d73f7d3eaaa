import type { AuditReport } from '../app/guard-audit.ts';
import { abortOutcomes } from '../model/abort-outcomes.ts';
import { type Members, membersOf, type Page, readPage, textOf } from './members.ts';

/** Reads what a daemon, perhaps of another version, answered; undefined where that is no page of the audit. */
export function readAuditPage(answer: unknown): Page<AuditReport> | undefined {
  return readPage(answer, reportOf);
}

function reportOf(item: unknown): AuditReport | undefined {
  const members = membersOf(item);
  const { kind, notify, pressures } = members;
  const text = (name: keyof AuditReport): string => textOf(members, name);
  if (Number.isNaN(Date.parse(text('at'))) || (kind !== 'abort' && kind !== 'act')) return undefined;
  return {
    kind,
    at: text('at'),
    cluster: text('cluster'),
    node: text('node'),
    id: text('id'),
    graph: text('graph'),
    query: text('query'),
    policy: text('policy'),
    policyHash: text('policyHash'),
    by: text('by'),
    reason: text('reason'),
    what: text('what'),
    subject: text('subject'),
    ...measuresOf(members),
    pressures: Object.fromEntries(Object.entries(membersOf(pressures)).filter(isNumbered)),
    notify: Array.isArray(notify) ? notify.map(String) : [],
    outcome: abortOutcomes.find((one) => one === members.outcome) ?? '',
    doubt: text('doubt'),
    damaged: members.damaged === true,
  };
}

type Instants = 'matchedAt' | 'dueAt' | 'firstSeenAt' | 'lastSeenAt' | 'endedAt';

function measuresOf(members: Members): Pick<AuditReport, Instants | 'ageSeconds' | 'grantedTimeoutSeconds'> {
  const instant = (name: Instants): string | null =>
    Number.isNaN(Date.parse(textOf(members, name))) ? null : textOf(members, name);
  return {
    ageSeconds: numberOf(members.ageSeconds),
    grantedTimeoutSeconds: numberOf(members.grantedTimeoutSeconds),
    matchedAt: instant('matchedAt'),
    dueAt: instant('dueAt'),
    firstSeenAt: instant('firstSeenAt'),
    lastSeenAt: instant('lastSeenAt'),
    endedAt: instant('endedAt'),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function isNumbered(entry: readonly [string, unknown]): entry is [string, number] {
  return typeof entry[1] === 'number';
}
