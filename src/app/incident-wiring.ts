import type { IncidentLookup } from '../alert/incident-lookup.ts';
import type { Rule } from '../alert/rule.ts';
import type { LatestResults } from '../collect/latest-results.ts';
import type { Config } from '../config/config.ts';
import { summarizeProblems } from '../config/problems.ts';
import type { Instant } from '../kernel/time.ts';
import type { SelfSituation } from '../model/situation.ts';
import type { Deliverer } from '../notify/deliverer.ts';
import type { ApiEvent, EventBroker } from './api/event-stream.ts';
import { reportTransition } from './api/service-routes.ts';
import { FlightRecorder } from './guard/flight-recorder.ts';
import { reportDecision } from './guard/guard-report.ts';
import { GuardSupervisor } from './guard/guard-supervisor.ts';
import { hostMetricNames } from './guard/host-pressure.ts';
import { createNodeAccess } from './guard/node-access.ts';
import { recordingsFolder } from './guard/recording-files.ts';
import { AlertEngine } from './incidents/alert-engine.ts';
import { type DeliveryLookup, reportAlerts } from './incidents/alert-report.ts';
import type { IncidentEvent } from './incidents/incident-events.ts';
import { IncidentProcessor } from './incidents/incident-processor.ts';
import { ownershipFacts } from './page/ownership-metrics.ts';
import { type QueryAgeListeners, QueryAges } from './page/query-ages.ts';
import { CheckRuns } from './poll/check-runs.ts';
import type { ClusterPoller } from './poll/cluster-poller.ts';
import { InventoryChanges } from './poll/inventory-changes.ts';
import { LimitLog } from './poll/limit-log.ts';
import { Pipeline } from './poll/pipeline.ts';
import { ProbeHistory } from './poll/probe-history.ts';
import { scheduledTaskLog } from './poll/scheduled-polls.ts';
import type { Scheduler } from './poll/scheduler.ts';
import { SituationBuilder } from './poll/situation-builder.ts';
import type { AppDependencies } from './ports/app-dependencies.ts';
import type { AppPorts } from './ports/app-ports.ts';
import { type IncidentTraceContext, IncidentTraces } from './tracing/incident-traces.ts';
import { type IsCycleLinked, openSelfTraces } from './tracing/self-traces.ts';
import { createTraceRecorder, type NodeLookup, type TraceRecorder } from './tracing/tracing.ts';

/** Inputs of {@link wireIncidents}. */
export interface IncidentWiringInputs {
  readonly ports: AppPorts;
  readonly parts: AppDependencies;
  readonly board: LatestResults;
  readonly hub: EventBroker;
  readonly scheduler: Scheduler;
  /** Returns the pollers of the monitored clusters. */
  readonly pollers: () => readonly ClusterPoller[];
  /** Returns the rejection of the configuration file; undefined while the file is in force. */
  readonly rejection: () => Config['rejection'];
  /** Called when an alert began or ended. */
  readonly onAlert: () => void;
}

/** Components between poll results and notifications. */
export interface IncidentWiring {
  readonly pipeline: Pipeline;
  readonly incidents: IncidentProcessor;
  readonly alerts: AlertEngine;
  readonly deliverer: Deliverer;
  readonly guard: GuardSupervisor;
  /** Absent if the state is not on disk. */
  readonly flightRecorder?: FlightRecorder;
  readonly ages: QueryAges;
  readonly changes: InventoryChanges;
  readonly limitLog: LimitLog;
  readonly checkRuns: CheckRuns;
  readonly probes: ProbeHistory;
  readonly situations: SituationBuilder;
  /** Absent if tracing is off. */
  readonly tracing?: TraceRecorder;
  /** Whether a span links to a poll cycle. */
  readonly isLinked: IsCycleLinked;
}

/** Connects pipeline, tracker, rules, notification queue and guard; starts nothing. */
export function wireIncidents(
  config: Config,
  { ports, parts, board, hub, scheduler, pollers, rejection, onAlert }: IncidentWiringInputs,
): IncidentWiring {
  const pollerOf = (cluster: string) => pollers().find((one) => one.settings.name === cluster);
  const traced = createIncidentTraces(config, ports, () => ({
    alerts,
    abortOf: (alert) => own?.aborts.abortOf(alert),
  }));
  const own = openSelfTraces(ports, { board, rules: parts.rules, incidents: traced });
  const flight = openFlightRecorder(config, ports);
  const guard = new GuardSupervisor({
    ...ports,
    ...flight,
    pauseFile: `${config.stateDir}/guard.paused`,
    facts: (cluster, family) => pipeline.facts(cluster, family),
    nodeAccess: (cluster) => {
      const poller = pollerOf(cluster);
      return poller && createNodeAccess(poller, { ...ports, scheduler, aborts: own?.aborts });
    },
    record: (cluster, changes) => incidents.record(cluster, changes),
    publish: (decision) => hub.publish({ kind: 'decision', value: reportDecision(decision) }),
  });
  const tracing = createTraceRecorder(config, ports, { nodes: nodeLookup(pollers, guard), incidents: traced });
  const ages = agesFor(guard, tracing, config.limits);
  const pipeline = new Pipeline(board, parts.createPage(config.limits), ports.log, familiesOf(parts));
  const guardView: GuardSupervisor['view'] = (cluster) => guard.view(cluster);
  const situations = new SituationBuilder({ ...ports, board, pipeline, guardView, slopes: slopesOf(parts.rules) });
  const deliverer = parts.createDeliverer(deliverySettings(config), own?.trace);
  const alerts = new AlertEngine({ ...ports, rules: parts.rules, deliverer, onNotification: own?.onNotification });
  const incidents = new IncidentProcessor({
    ...ports,
    alerts,
    situation: (cluster, tracked, now) => {
      const poller = pollerOf(cluster);
      return poller && situations.build(poller, tracked, now);
    },
    self: (now) => selfSituation({ ...ports, deliverer, rejection: rejection() }, now),
    publish: eventPublisher({ hub, ports, deliverer, tracing, onAlert }),
  });
  // Abort traces come before the guard: it may abort a query of the list at once.
  const changes = new InventoryChanges(ports.log);
  const limitLog = new LimitLog(ports.log, pipeline);
  const [checkRuns, probes] = [new CheckRuns(), new ProbeHistory()];
  pipeline.subscribe(ages, ...(own === undefined ? [] : [own.aborts]), guard, incidents, changes);
  pipeline.subscribe(limitLog, checkRuns, probes, scheduledTaskLog(ports.log));
  const histories = { ages, changes, limitLog, checkRuns, probes };
  const components = { pipeline, incidents, alerts, deliverer, guard, ...flight, ...histories, situations };
  return { ...components, isLinked: (...given) => own?.isLinked(...given) ?? false, ...(tracing && { tracing }) };
}

interface EventConsumers extends Pick<IncidentWiringInputs, 'hub' | 'ports' | 'onAlert'> {
  readonly deliverer: Deliverer;
  readonly tracing: TraceRecorder | undefined;
}

/** Returns the function that passes an event on to subscribers and traces. */
function eventPublisher({ hub, ports, deliverer, tracing, onAlert }: EventConsumers): (event: IncidentEvent) => void {
  const deliveries: DeliveryLookup = (incident) => deliverer.deliveries(incident, ports.clock.now());
  return (event) => {
    for (const published of apiEvents(event, deliveries)) hub.publish(published);
    if (event.kind === 'transition') return tracing?.onTransition(event.transition);
    tracing?.onAlert(event.alert);
    onAlert();
  };
}

function deliverySettings({ alerts, externalUrl }: Config): Parameters<AppDependencies['createDeliverer']>[0] {
  return { receivers: alerts.receivers, ...(externalUrl === undefined ? {} : { externalUrl }) };
}

function openFlightRecorder({ stateDir }: Config, ports: AppPorts): { readonly flightRecorder?: FlightRecorder } {
  const { recordingFiles } = ports;
  if (recordingFiles === undefined) return {};
  return { flightRecorder: new FlightRecorder({ ...ports, recordingFiles, folder: recordingsFolder(stateDir) }) };
}

/** `parts` is called only after all components are connected. */
function createIncidentTraces(
  { telemetry }: Config,
  { digest, spanExports }: AppPorts,
  parts: () => Pick<IncidentTraceContext, 'alerts' | 'abortOf'>,
): IncidentTraces | undefined {
  if (spanExports === undefined || !telemetry.traces.incidents) return undefined;
  const alerts: IncidentLookup = {
    includingIncident: (id) => parts().alerts.includingIncident(id),
    incidentOfInstance: (replica, startsAt) => parts().alerts.incidentOfInstance(replica, startsAt),
  };
  return new IncidentTraces({ digest, spans: spanExports, alerts, abortOf: (alert) => parts().abortOf(alert) });
}

function agesFor(guard: GuardSupervisor, tracing: TraceRecorder | undefined, limits: Config['limits']): QueryAges {
  const listeners: QueryAgeListeners = {
    abortedBy: (cluster, node) => (id) => guard.abortedBy(cluster, node, id),
    onQueriesEnded: (ends) => tracing?.onQueriesEnded(ends),
    spanReference: (cluster, id) => tracing?.spanReference(cluster, id),
  };
  return new QueryAges(listeners, limits);
}

function familiesOf({ rules, collectors }: Pick<AppDependencies, 'rules' | 'collectors'>): ReadonlySet<string> {
  const counts = collectors.flatMap(({ metrics }) => metrics).filter(({ countsDropped }) => countsDropped);
  const used = rules.flatMap((rule) => (rule.scope === 'cluster' ? rule.families : []));
  return new Set([...hostMetricNames, ...used, ...counts.map(({ name }) => name)]);
}

function slopesOf(rules: readonly Rule[]): readonly string[] {
  return [...new Set(rules.flatMap((rule) => (rule.scope === 'cluster' ? (rule.slopes ?? []) : [])))];
}

function nodeLookup(pollers: IncidentWiringInputs['pollers'], guard: GuardSupervisor): NodeLookup {
  const members = (cluster: string) =>
    pollers()
      .find(({ settings }) => settings.name === cluster)
      ?.nodes() ?? [];
  return {
    url: (cluster, node) => members(cluster).find(({ settings }) => settings.name === node)?.settings.url,
    offset: (cluster, node) => guard.clockOffset(cluster, node),
  };
}

/** Returns the state of this process, as rules see it. */
function selfSituation(
  {
    deliverer,
    store,
    ownership,
    rejection,
  }: Pick<IncidentWiring, 'deliverer'> &
    Pick<AppPorts, 'store' | 'ownership'> & { readonly rejection: Config['rejection'] },
  now: Instant,
): SelfSituation {
  const leases = ownershipFacts(ownership);
  return {
    receivers: deliverer.views(now),
    stateDurable: store.durable,
    stateProblem: store.problem ?? '',
    ...(leases && { ownership: leases }),
    ...(rejection && { configRejected: { since: rejection.since, problem: summarizeProblems(rejection.problems) } }),
  };
}

function apiEvents(event: IncidentEvent, deliveries: DeliveryLookup): readonly ApiEvent[] {
  if (event.kind === 'transition') return [{ kind: 'transition', value: reportTransition(event.transition) }];
  const reports = reportAlerts([{ ...event.alert, phase: event.alert.status }], deliveries);
  return reports.map((value) => ({ kind: 'alert', value }));
}
