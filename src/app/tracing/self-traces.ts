import type { Rule } from '../../alert/rule.ts';
import type { LatestResult, LatestResults } from '../../collect/latest-results.ts';
import { probeCollectorName } from '../../collect/probes/probe-collector.ts';
import type { Digest, Random } from '../../kernel/system.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Alert, AlertNotification } from '../../model/alert.ts';
import type { SpanRecorder, SpanReference } from '../../model/span.ts';
import type { NotificationRequest, Notifier } from '../../notify/notifier.ts';
import { deliveryResultOf } from '../../notify/outbox/receiver-health.ts';
import { notificationSpan } from '../../trace/action-spans.ts';
import { alertIncidentContext, newRootContext } from '../../trace/span-context.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { AbortTraces } from './abort-traces.ts';
import type { IncidentTraces } from './incident-traces.ts';

/** Returns whether a span links to a cycle, which is then kept. If a link is added later, `late` is called. */
export type IsCycleLinked = (cycle: SpanReference, late: () => void) => boolean;

/** Traces of aborts and notifications, with links to the poll cycles that led to them. */
export interface SelfTraces {
  readonly aborts: AbortTraces;
  readonly onNotification: NotificationTraces['onNotification'];
  readonly trace: (receiver: string, notifier: Notifier) => Notifier;
  readonly isLinked: IsCycleLinked;
}

/** Maximum number of remembered cycles to which a span links. */
const maxLinked = 1000;

/**
 * Maximum number of cycles that a later span may link: an abort starts when its intent is stored, often after its cycle
 * has ended.
 */
const maxWaiting = 100;

/** Parts that the traces link. */
interface SelfTraceParts {
  readonly board: LatestResults;
  readonly rules: readonly Rule[];
  /** Absent if incidents are not traced. */
  readonly incidents?: Pick<IncidentTraces, 'link'> | undefined;
}

/** Creates the traces; undefined if tracing is disabled. */
export function openSelfTraces(
  { spans, ...ports }: Pick<AppPorts, 'clock' | 'random' | 'digest'> & { readonly spans?: SpanRecorder },
  { board, rules, incidents }: SelfTraceParts,
): SelfTraces | undefined {
  if (spans === undefined) return undefined;
  const linked = new Set<string>();
  const waiting = new Map<string, () => void>();
  const link = ({ traceId }: SpanReference): void => {
    linked.add(traceId);
    const [oldest = ''] = linked;
    if (linked.size > maxLinked) linked.delete(oldest);
    waiting.get(traceId)?.();
    waiting.delete(traceId);
  };
  const aborts = new AbortTraces({ ...ports, spans, linked: link });
  const notices = new NotificationTraces({
    ...ports,
    spans,
    aborts,
    incidents,
    causes: (alert) => {
      const entries = board.all(alert.labels.cluster_name ?? '');
      const rule = rules.find(({ name }) => name === alert.rule);
      const causes = causingCycles(alert, rule, entries);
      for (const cause of causes) link(cause);
      return causes;
    },
  });
  return {
    aborts,
    onNotification: (notice) => notices.onNotification(notice),
    trace: (receiver, notifier) => notices.trace(receiver, notifier),
    isLinked: ({ traceId }, late) => {
      waiting.set(traceId, late);
      const [oldest = ''] = waiting.size > maxWaiting ? waiting.keys() : [];
      waiting.delete(oldest);
      return linked.has(traceId);
    },
  };
}

/** Maximum number of cycles to which one alert links. */
const maxCauses = 8;

/**
 * Returns the cycles whose poll results an alert is based on, newest first: of the collectors that its rule needs or
 * names, on its node if it has one. A rule without collectors uses the failed collectors of the node.
 */
export function causingCycles(
  { labels }: Pick<Alert, 'labels'>,
  rule: Rule | undefined,
  entries: readonly LatestResult[],
): readonly SpanReference[] {
  const { node = '', collector = '', probe } = labels;
  const named = [collector, probe === undefined ? '' : probeCollectorName({ name: probe })].filter(Boolean);
  const needs = [...(rule?.scope === 'cluster' ? rule.needs : []), ...named];
  const isCause = ({ pollResult, ...target }: LatestResult): boolean => {
    if (node !== '' && target.node !== '' && target.node !== node) return false;
    return needs.length > 0 ? needs.includes(target.collector) : node !== '' && !pollResult.result.ok;
  };
  return entries
    .filter(isCause)
    .toSorted((one, other) => other.pollResult.ended.mono - one.pollResult.ended.mono)
    .flatMap(({ pollResult }) => pollResult.cycle ?? [])
    .slice(0, maxCauses);
}

/** Dependencies of notification traces. */
interface NotificationTraceContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: SpanRecorder;
  readonly digest: Digest;
  readonly aborts: Pick<AbortTraces, 'abortOf'>;
  readonly incidents: SelfTraceParts['incidents'];
  /** Returns the current cycles of an alert. */
  readonly causes: (alert: Alert) => readonly SpanReference[];
}

/** Maximum number of remembered alerts: those of an unreachable receiver must not grow without bound. */
const maxRemembered = 1000;

/** Maximum number of links of a span. */
const maxLinks = 16;

/** Traces notifications, and remembers the cycles of an alert until it is sent. */
export class NotificationTraces {
  readonly #context: NotificationTraceContext;
  readonly #causes = new Map<string, readonly SpanReference[]>();

  constructor(context: NotificationTraceContext) {
    this.#context = context;
  }

  /** Records the cycles of an alert when its notification is queued, because they may be forgotten when it is sent. */
  onNotification(notice: AlertNotification): void {
    if (notice.kind === 'suppress' || notice.kind === 'relabel') return;
    if (notice.kind === 'trigger' && (notice.isReminder || notice.isUpdate === true)) return;
    const key = incidentKey(notice.alert);
    this.#causes.delete(key);
    this.#causes.set(key, this.#context.causes(notice.alert));
    const [oldest = ''] = this.#causes.keys();
    if (this.#causes.size > maxRemembered) this.#causes.delete(oldest);
  }

  /** Returns the notifier with a trace of every attempt. */
  trace(receiver: string, notifier: Notifier): Notifier {
    const { clock, random, spans, incidents } = this.#context;
    return {
      traits: notifier.traits,
      recipient: () => notifier.recipient(),
      close: () => notifier.close(),
      send: async (notification, detail, now, signal) => {
        const started = clock.now();
        const answer = await notifier.send(notification, detail, now, signal);
        const about = {
          receiver,
          content: notification.kind,
          rules: rulesOf(notification),
          links: this.#linksOf(notification),
        };
        const times = { started, ended: clock.now() };
        const context = newRootContext(random);
        const { status, request } = answer;
        const result = deliveryResultOf(answer);
        spans.record(notificationSpan({ context, ...about, ...times, outcome: result, status, request }));
        for (const incident of incidentsOf(notification)) incidents?.link(incident, context);
        return answer;
      },
    };
  }

  #linksOf(notification: NotificationRequest): readonly SpanReference[] {
    const { aborts, incidents, digest } = this.#context;
    const about = incidentsOf(notification);
    const alerts = notification.kind === 'alerts' ? notification.alerts : [];
    const all = [
      ...(incidents === undefined ? [] : about.map((one) => alertIncidentContext(one, digest))),
      ...alerts.flatMap((alert) => aborts.abortOf(alert) ?? []),
      ...about.flatMap((one) => this.#causes.get(incidentKey(one)) ?? []),
    ];
    return [...new Map(all.map((reference) => [reference.spanId, reference])).values()].slice(0, maxLinks);
  }
}

function incidentsOf(notification: NotificationRequest): readonly Pick<Alert, 'key' | 'episode'>[] {
  return notification.kind === 'alerts' ? notification.alerts : notification.missed;
}

function rulesOf(notification: NotificationRequest): readonly string[] {
  const alerts = notification.kind === 'alerts' ? notification.alerts : [];
  return [...new Set(alerts.map(({ rule }) => rule))].toSorted();
}

function incidentKey({ key, episode }: Pick<Alert, 'key' | 'episode'>): string {
  return `${key}/${episode}`;
}
