import type { Rule } from '../alert/rule.ts';
import type { Board } from '../collect/board.ts';
import type { Config } from '../config/config.ts';
import type { HeardList } from '../graphdb/overheard.ts';
import type { Instant } from '../kernel/time.ts';
import type { SelfSituation } from '../model/situation.ts';
import type { Deliverer } from '../notify/deliverer.ts';
import { reportAlerts } from './alert-report.ts';
import { Alerts } from './alerts.ts';
import type { AppPorts } from './app.ts';
import type { EventHub } from './event-stream.ts';
import { reachOf } from './guard-reach.ts';
import { reportDecision } from './guard-report.ts';
import { GuardWatch } from './guard-watch.ts';
import { hostFamilies } from './host-pressure.ts';
import { Incidents, type News } from './incidents.ts';
import { type LinkQuestion, type OwnTraces, openOwnTraces } from './own-traces.ts';
import type { AppParts } from './parts.ts';
import { Pipeline } from './pipeline.ts';
import { QueryAges, type QueryListeners } from './query-ages.ts';
import type { Scheduler } from './scheduler.ts';
import { Situations } from './situations.ts';
import { reportTransition } from './timeline.ts';
import { type NodeKnowledge, type Tracing, tracingOf } from './tracing.ts';
import type { Watch } from './watch.ts';

/** What the line stands between. */
export interface LineEnds {
  readonly ports: AppPorts;
  readonly parts: AppParts;
  readonly board: Board;
  readonly hub: EventHub;
  readonly scheduler: Scheduler;
  /** The clusters that are watched at present. */
  readonly watches: () => readonly Watch[];
}

/** The way from a reading to whoever is to hear of it. */
export interface IncidentLine {
  readonly pipeline: Pipeline;
  readonly incidents: Incidents;
  readonly alerts: Alerts;
  readonly deliverer: Deliverer;
  readonly guard: GuardWatch;
  readonly ages: QueryAges;
  readonly situations: Situations;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing;
  /** Takes what a node answered to the question what runs. */
  heard(list: HeardList): void;
  /** Whether something that is traced links to a cycle. */
  readonly isLinked: LinkQuestion;
}

/** Joins pipeline, tracker, rules, outbox and the guard's eyes; nothing runs yet. */
export function openIncidentLine(
  config: Config,
  { ports, parts, board, hub, scheduler, watches }: LineEnds,
): IncidentLine {
  const { alerts: settings, externalUrl, limits } = config;
  const watchOf = (cluster: string) => watches().find((one) => one.settings.name === cluster);
  const own = openOwnTraces(ports, board, parts.rules);
  const guard = new GuardWatch({
    ...ports,
    pauseFile: `${config.stateDir}/guard.paused`,
    facts: (cluster, family) => pipeline.facts(cluster, family),
    reach: (cluster) => {
      const watch = watchOf(cluster);
      return watch && reachOf(watch, { ...ports, scheduler, aborts: own?.aborts });
    },
    record: (cluster, changes) => incidents.record(cluster, changes),
    publish: (decision) => hub.publish({ kind: 'decision', value: reportDecision(decision) }),
  });
  const tracing = tracingOf(config, ports, nodeKnowledge(watches, guard));
  const ages = agesFor(guard, tracing, limits);
  const pipeline = new Pipeline(board, parts.createPage(limits), ports.log, {
    wanted: familiesOf(parts.rules),
    taken: (feed, reading, pace) => {
      ages.taken(feed, reading, pace);
      guard.taken(feed, reading, pace);
      incidents.taken(feed, reading, pace);
    },
  });
  const situations = new Situations(board, pipeline, (cluster) => guard.view(cluster), slopesOf(parts.rules));
  const link = externalUrl === undefined ? {} : { externalUrl };
  const deliverer = parts.createDeliverer({ receivers: settings.receivers, ...link }, own?.follow);
  const alerts = new Alerts({ ...ports, rules: parts.rules, deliverer, noticed: own?.noticed });
  const incidents = new Incidents({
    ...ports,
    alerts,
    situation: (cluster, tracked, now) => {
      const watch = watchOf(cluster);
      return watch && situations.of(watch, tracked, now);
    },
    self: (now) => selfOf({ deliverer, guard, store: ports.store }, now),
    publish: (news) => {
      hub.publish(eventOf(news));
      if (news.kind === 'transition') tracing?.changed(news.transition);
    },
  });
  const told = { pipeline, incidents, alerts, deliverer, guard, ages, situations };
  return { ...told, ...hearing(guard, own), ...(tracing && { tracing }) };
}

/** The traces hear it first: what a list shows may be aborted at once. */
function hearing(guard: GuardWatch, own: OwnTraces | undefined): Pick<IncidentLine, 'heard' | 'isLinked'> {
  return {
    heard: (list) => {
      own?.aborts.heard(list);
      guard.heard(list);
    },
    isLinked: (cycle, late) => own?.isLinked(cycle, late) ?? false,
  };
}

function agesFor(guard: GuardWatch, tracing: Tracing | undefined, limits: Config['limits']): QueryAges {
  const listeners: QueryListeners = {
    abortedBy: (cluster, node) => (id) => guard.abortedBy(cluster, node, id),
    over: (ends) => tracing?.over(ends),
    spanOf: (cluster, id) => tracing?.spanOf(cluster, id),
  };
  return new QueryAges(listeners, limits);
}

function familiesOf(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set([...hostFamilies, ...rules.flatMap((rule) => (rule.scope === 'cluster' ? rule.families : []))]);
}

function slopesOf(rules: readonly Rule[]): readonly string[] {
  return [...new Set(rules.flatMap((rule) => (rule.scope === 'cluster' ? (rule.slopes ?? []) : [])))];
}

function nodeKnowledge(watches: LineEnds['watches'], guard: GuardWatch): NodeKnowledge {
  const members = (cluster: string) =>
    watches()
      .find(({ settings }) => settings.name === cluster)
      ?.nodes() ?? [];
  return {
    url: (cluster, node) => members(cluster).find(({ settings }) => settings.name === node)?.settings.url,
    offset: (cluster, node) => guard.offset(cluster, node),
  };
}

/** What rules may know of ourselves. */
function selfOf(
  { deliverer, guard, store }: Pick<IncidentLine, 'deliverer' | 'guard'> & Pick<AppPorts, 'store'>,
  now: Instant,
): SelfSituation {
  const guardPaused = guard.held();
  return {
    receivers: deliverer.views(now),
    stateDurable: store.durable,
    stateTrouble: store.trouble ?? '',
    ...(guardPaused === undefined ? {} : { guardPaused }),
  };
}

function eventOf(news: News): Parameters<EventHub['publish']>[0] {
  if (news.kind === 'transition') return { kind: 'transition', value: reportTransition(news.transition) };
  const [value] = reportAlerts([{ ...news.alert, phase: news.alert.status }]);
  return { kind: 'alert', value };
}
