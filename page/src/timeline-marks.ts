import type { AlertReport } from '../../src/api/alerts.ts';
import type { CheckReport } from '../../src/api/clusters.ts';
import type { AuditEntry } from '../../src/api/guard-audit.ts';
import type { NotificationReport } from '../../src/api/notifications.ts';
import type { ServiceReport, TransitionReport } from '../../src/api/services.ts';
import type { StateColor } from '../../src/model/service.ts';
import { unobserved } from '../../src/model/transition.ts';
import type { TimeWindow } from '../../src/track/availability.ts';
import { count, queryName } from './format.ts';

/** Kinds of marks, in the order in which the timeline shows them. */
export const markKinds = ['alert', 'abort', 'check', 'start', 'gap'] as const;

/** One of {@link markKinds}. */
export type MarkKind = (typeof markKinds)[number];

/** Something that happened at a time, or lasted. Times are ms since the epoch. */
export interface Mark extends TimeWindow {
  readonly kind: MarkKind;
  readonly color: StateColor;
  readonly text: string;
  readonly cluster: string;
  /** ID of the incident of an alert; `''` for other marks. */
  readonly incident: string;
}

/** Data from which the marks are created. */
export interface MarkFacts {
  readonly alerts: readonly AlertReport[];
  readonly notifications: readonly NotificationReport[];
  readonly audit: readonly AuditEntry[];
  readonly checks: readonly CheckReport[];
  readonly services: readonly ServiceReport[];
  readonly transitions: readonly TransitionReport[];
}

/** Returns the marks that overlap a time window, the newest first. `cluster` selects one cluster; `''` selects all. */
export function marksOf(facts: MarkFacts, window: TimeWindow, cluster: string, now: number): readonly Mark[] {
  const marks = [
    ...alertMarks(facts.alerts, now),
    ...pastAlertMarks(facts, now),
    ...facts.audit.flatMap(auditMark),
    ...checkMarks(facts.checks),
    ...gapMarks(facts, now),
  ];
  return marks
    .filter((mark) => mark.from < window.to && mark.to >= window.from)
    .filter((mark) => cluster === '' || mark.cluster === '' || mark.cluster === cluster)
    .toSorted((one, other) => other.from - one.from);
}

const severityColors: Readonly<Record<string, StateColor>> = { critical: 'red', warning: 'orange', info: 'blue' };

function alertMarks(alerts: readonly AlertReport[], now: number): readonly Mark[] {
  return alerts
    .filter(({ rule, phase }) => rule !== 'watchdog' && phase !== 'pending')
    .map(({ annotations, rule, severity, startsAt, endsAt, cluster, incident }) => ({
      kind: 'alert',
      color: severityColors[severity] ?? 'grey',
      text: `${severity}: ${annotations.summary ?? rule}`,
      from: Date.parse(startsAt),
      to: endsAt === null ? now : Date.parse(endsAt),
      cluster,
      incident,
    }));
}

/** Returns marks of alerts that are no longer in the list of alerts, from their notifications. */
function pastAlertMarks({ alerts, notifications }: MarkFacts, now: number): readonly Mark[] {
  const listed = new Set(alerts.map(({ incident }) => incident));
  const past = notifications.filter(
    ({ incident, action }) => incident !== '' && !listed.has(incident) && action !== 'digest',
  );
  return [...Map.groupBy(past, ({ incident }) => incident)].flatMap(([incident, own]) => {
    const first = own.findLast(({ action }) => action === 'trigger') ?? own.at(-1);
    if (first === undefined) return [];
    const end = own.find(({ action }) => action === 'resolve');
    const from = Date.parse(first.queuedAt ?? first.at);
    const to = end === undefined ? from : Date.parse(end.queuedAt ?? end.at);
    const text = `${first.severity}: ${first.summary || first.alertname}`;
    const color = severityColors[first.severity] ?? 'grey';
    return [{ kind: 'alert', color, text, from, to: Math.min(to, now), cluster: first.cluster, incident } as const];
  });
}

function auditMark({
  kind,
  action,
  subject,
  at,
  cluster,
  node,
  query,
  graph,
  outcome,
  policy,
  by,
}: AuditEntry): readonly Mark[] {
  const from = Date.parse(at);
  const place = { from, to: from, cluster, incident: '' };
  if (kind === 'abort') {
    const cause = by === '' ? policy : by;
    const text = `abort of ${queryName({ query, graph })} on ${node} by ${cause}: ${outcome || 'outcome unknown'}`;
    return [{ kind: 'abort', color: 'orange', text, ...place }];
  }
  if (action !== 'start') return [];
  return [{ kind: 'start', color: 'blue', text: `graphwarden ${subject} started`, ...place }];
}

function checkMarks(checks: readonly CheckReport[]): readonly Mark[] {
  const runs = Map.groupBy(
    checks.filter(({ lastRun }) => lastRun !== null),
    ({ cluster, check, lastRun }) => JSON.stringify([cluster, check, lastRun]),
  );
  return [...runs.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const failed = own.filter(({ passed }) => !passed).length;
    const from = Date.parse(first.lastRun ?? '');
    const result = failed === 0 ? 'passed' : `failed: ${failed} of ${count(own.length, 'result')}`;
    const color = failed === 0 ? 'green' : 'red';
    return [
      {
        kind: 'check',
        color,
        text: `${first.check} ${result}`,
        from,
        to: from,
        cluster: first.cluster,
        incident: '',
      } as const,
    ];
  });
}

/** Returns a mark for each period without observations of a cluster, until all of its instances are observed again. */
function gapMarks({ services, transitions }: MarkFacts, now: number): readonly Mark[] {
  const over = transitions
    .filter(({ from, lastedSeconds }) => from === unobserved && lastedSeconds !== null)
    .map(({ cluster, at, lastedSeconds }) => ({
      cluster,
      from: Date.parse(at) - (lastedSeconds ?? 0) * 1000,
      to: Date.parse(at),
    }));
  const ongoing = services
    .filter(({ status }) => status === unobserved)
    .map(({ cluster, since }) => ({ cluster, from: Date.parse(since), to: now }));
  const groups = Map.groupBy([...over, ...ongoing], ({ cluster, from }) =>
    JSON.stringify([cluster, Math.round(from / 1000)]),
  );
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const to = own.reduce((latest, one) => Math.max(latest, one.to), first.to);
    const text = `${count(own.length, 'instance')} not observed`;
    return [{ kind: 'gap', color: 'grey', text, from: first.from, to, cluster: first.cluster, incident: '' } as const];
  });
}
