import type { AlertView } from '../../alert/alert-view.ts';
import { alertViews, unexpiredSilences } from '../../alert/alert-view.ts';
import type { AlertingInput, AlertingOutput, AlertingSettings, RecentEvent, Silence } from '../../alert/alerting.ts';
import { restoreAlerting } from '../../alert/alerting-store.ts';
import { type Alerting, createAlerting } from '../../alert/create-alerting.ts';
import type { AlertingState } from '../../alert/incident.ts';
import {
  type IncidentId,
  type InstanceIncident,
  incidentOfInstance,
  includingIncident,
} from '../../alert/incident-lookup.ts';
import { runbookUrlOf, servedRunbookUrl } from '../../alert/links.ts';
import {
  alertingRows,
  firingAlerts,
  mergeAlerting,
  withoutClusters,
  withStoredClusters,
} from '../../alert/merge-state.ts';
import type { Rule } from '../../alert/rule.ts';
import { checkedReads } from '../../kernel/checked-reads.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Ownership } from '../../kernel/ownership.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Store, StoreChange } from '../../kernel/store.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Sample } from '../../metric/metric.ts';
import type { Alert, AlertNotification } from '../../model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../../model/delivery.ts';
import type { ReplicaId } from '../../model/transition.ts';
import type { Deliverer } from '../../notify/deliverer.ts';
import type { ReceiverSettings } from '../../notify/settings.ts';
import { AlertSamples } from './alert-samples.ts';
import { IncidentLog } from './incident-log.ts';

/** Dependencies of the alert engine. */
export interface AlertEngineDependencies {
  readonly log: Logger;
  readonly store: Store;
  readonly digest: Digest;
  readonly rules: readonly Rule[];
  readonly deliverer: Deliverer;
  /** Version whose runbook alerts link; the newest one if absent. */
  readonly build?: { readonly version: string };
  /** Absent: this process owns all clusters. */
  readonly ownership?: Ownership;
  /** Receives each notification before it is queued; absent if tracing is off. */
  readonly onNotification?: ((notice: AlertNotification) => void) | undefined;
}

/** Configuration of alerting and delivery. */
export interface AlertEngineSettings {
  readonly alerts: AlertingSettings & { readonly receivers: readonly ReceiverSettings[] };
  readonly externalUrl?: string;
  readonly clusters: readonly string[];
}

/** Result of a step. The caller stores `changes` and then calls `release`, even if the store failed. */
export interface AlertStepResult {
  readonly changes: readonly StoreChange[];
  /** Alerts that began or ended, with or without a notification. */
  readonly changedAlerts: readonly Alert[];
  /** Whether further incidents are due: evaluate the cluster again at once. */
  readonly isUnfinished?: boolean;
  release(): void;
}

/** Evaluates alert rules, keeps their state and passes notifications to the deliverer. */
export class AlertEngine {
  readonly #dependencies: AlertEngineDependencies;
  #machine: Alerting | undefined;
  #state: AlertingState | undefined;
  #externalUrl: string | undefined;
  /** Whether receivers are configured, or there is no cluster that could have alerts. */
  #hasReceivers = true;
  /** Warnings that were logged since the last reload. Each is logged once. */
  readonly #logged = new Set<string>();
  readonly #samples = new AlertSamples();
  /** Clusters of `incidents`, kept until the incidents change. */
  #busy: { readonly incidents?: AlertingState['incidents'] | undefined; readonly clusters: ReadonlySet<string> } = {
    clusters: new Set(),
  };

  readonly #incidentLog: IncidentLog;

  constructor(context: AlertEngineDependencies) {
    this.#dependencies = context;
    this.#incidentLog = new IncidentLog(context.log);
  }

  /** Applies settings. The first call restores alerts and pending notifications from the store. */
  async configure({ alerts, externalUrl, clusters }: AlertEngineSettings, now: Instant): Promise<AlertStepResult> {
    const { store, digest, rules, deliverer, build, log } = this.#dependencies;
    const link = externalUrl === undefined ? {} : { externalUrl };
    const isFirst = this.#state === undefined;
    this.#state ??= this.#ownPart(await restoreAlerting(store, now));
    if (isFirst) await deliverer.restore();
    await deliverer.reconfigure({ receivers: alerts.receivers, ...link });
    if (isFirst) deliverer.start();
    const hasReceivers = alerts.receivers.length > 0 || clusters.length === 0;
    if (!hasReceivers && this.#hasReceivers) log.warn('no receivers configured, no notifications are sent');
    this.#hasReceivers = hasReceivers;
    this.#logged.clear();
    const links = { runbookUrl: servedRunbookUrl(externalUrl) ?? runbookUrlOf(build?.version), ...alerts };
    this.#machine = createAlerting(rules, links, { receivers: alerts.receivers, ...link, digest });
    this.#samples.reset();
    this.#externalUrl = externalUrl;
    const reload = { at: now.wall, cluster: '', subject: '', text: 'the configuration was reloaded' };
    if (!isFirst) this.addEvents([reload], now);
    return joinResults(this.step({ kind: 'clusters', names: clusters }, now), this.#reconcile(now));
  }

  /** Adopts the alerts and notifications of a state directory that became available after the start. */
  async merge(now: Instant): Promise<AlertStepResult> {
    const before = this.#state;
    if (before === undefined) return emptyResult;
    const { store, deliverer } = this.#dependencies;
    const [stored] = await Promise.all([restoreAlerting(store, now), deliverer.merge()]);
    this.#state = mergeAlerting(this.#state ?? before, stored, before);
    const rows = alertingRows(this.#state);
    return joinResults({ ...emptyResult, changes: rows }, this.#reconcile(now));
  }

  /**
   * Continues with the stored alerts and notifications of clusters that another replica owned. If the store cannot be read,
   * adopts nothing and returns the error: without their rows, open incidents would be resolved.
   */
  async adopt(clusters: ReadonlySet<string>, now: Instant): Promise<Result<AlertStepResult, string>> {
    const { store, deliverer } = this.#dependencies;
    const { reads, problem } = checkedReads(store);
    const stored = await restoreAlerting(reads, now);
    const error = problem();
    if (error !== undefined) return err(error);
    const adopted = await deliverer.adopt(clusters);
    if (!adopted.ok || this.#state === undefined) return adopted.ok ? ok(emptyResult) : adopted;
    this.#state = withStoredClusters(this.#state, stored, clusters);
    return ok(this.#reconcile(now));
  }

  /** Drops the alerts and notifications of clusters that another replica owns now. The store keeps them. */
  disown(clusters: ReadonlySet<string>, now: Instant): void {
    this.step({ kind: 'disowned', clusters }, now);
    this.#dependencies.deliverer.forget(clusters);
    for (const cluster of clusters) this.#samples.disown(cluster);
  }

  /** Reads the silences again: another replica may have changed them. */
  async reloadSilences(now: Instant): Promise<void> {
    const { reads, problem } = checkedReads(this.#dependencies.store);
    const stored = await restoreAlerting(reads, now);
    if (problem() === undefined && this.#state !== undefined)
      this.#state = withStoredClusters(this.#state, stored, new Set());
  }

  #ownPart(state: AlertingState): AlertingState {
    const { ownership } = this.#dependencies;
    if (ownership?.isShared !== true) return state;
    const foreign = [...state.incidents.values()].filter(({ cluster }) => !ownership.owns(cluster));
    return withoutClusters(state, new Set(foreign.map(({ cluster }) => cluster)));
  }

  /** Runs one step of alerting and plans the notifications that follow from it. */
  step(input: AlertingInput, now: Instant): AlertStepResult {
    if (this.#machine === undefined || this.#state === undefined) return emptyResult;
    const { state, outputs } = this.#machine.step(this.#state, input, now);
    this.#state = state;
    if (outputs.length === 0) return emptyResult;
    const notices = outputs.flatMap((output) => (output.kind === 'notice' ? [output.notification] : []));
    const { deliverer, onNotification } = this.#dependencies;
    for (const notice of notices) onNotification?.(notice);
    const changedAlerts = outputs.flatMap((output) => (output.kind === 'incident' ? [output.alert] : []));
    const plan = deliverer.plan([...notices, ...unannouncedEnds(changedAlerts, notices, now)], now);
    const changes = outputs.flatMap((output) => (output.kind === 'change' ? [output.change] : []));
    for (const output of outputs) this.#logOutput(output);
    const isUnfinished = outputs.some(({ kind }) => kind === 'unfinished');
    return { changes: [...changes, ...plan.changes], changedAlerts, isUnfinished, release: () => plan.release() };
  }

  /** Records events that a later incident may list as related. */
  addEvents(events: readonly RecentEvent[], now: Instant): void {
    if (events.length > 0) this.step({ kind: 'events', events }, now);
  }

  /** Adapts the notification queues to the alerts that fire, and withholds what is muted. */
  #reconcile(now: Instant): AlertStepResult {
    if (this.#state === undefined) return emptyResult;
    const firing = firingAlerts(this.#state, this.#externalUrl);
    const plan = this.#dependencies.deliverer.reconcile(firing, now, this.#machine?.destinationsOf(this.#state));
    const reconciled = { changes: plan.changes, changedAlerts: [], release: () => plan.release() };
    return joinResults(reconciled, this.step({ kind: 'restored' }, now));
  }

  /** Returns the incident that includes an alert: its own, unless the alert is an effect of another one. */
  includingIncident(id: IncidentId): IncidentId {
    const incident = this.#state && includingIncident(this.#state, id);
    return incident === undefined ? id : { key: incident.key, episode: incident.number };
  }

  /** Returns the firing incident to which an outage of a service instance belongs, and its node if it has one. */
  incidentOfInstance(replica: ReplicaId, startsAt: number): InstanceIncident | undefined {
    const incident = this.#state && incidentOfInstance(this.#state, replica, startsAt);
    if (incident === undefined) return undefined;
    const { node } = incident.labels;
    return { key: incident.key, episode: incident.number, ...(node === undefined ? {} : { node }) };
  }

  /** Alerts that are pending, firing, or resolved not long ago. */
  alerts(): readonly AlertView[] {
    return this.#state === undefined ? [] : alertViews(this.#state);
  }

  /** Clusters with an incident that is pending or firing. */
  clustersWithIncidents(): ReadonlySet<string> {
    const incidents = this.#state?.incidents;
    if (this.#busy.incidents !== incidents)
      this.#busy = { incidents, clusters: new Set(incidents?.values().map(({ cluster }) => cluster)) };
    return this.#busy.clusters;
  }

  /** Latest notification of an incident to each receiver that is notified of it. */
  deliveries(incident: Pick<AlertView, 'key' | 'episode'>, now: Instant): readonly IncidentDelivery[] {
    return incident.episode === 0 ? [] : this.#dependencies.deliverer.deliveries(incident, now);
  }

  /** Notifications that were not attempted yet. */
  unattempted(now: Instant): readonly NotificationRecord[] {
    return this.#dependencies.deliverer.unattempted(now);
  }

  /** Active and future silences. */
  silences(now: Instant): readonly Silence[] {
    return this.#state === undefined ? [] : unexpiredSilences(this.#state, now);
  }

  /** Samples of one cluster's alerts; `''` for alerts about graphwarden. */
  samples(cluster: string, now: Instant): readonly Sample[] {
    const [machine, state] = [this.#machine, this.#state];
    if (machine === undefined || state === undefined) return [];
    const isQuiet = !this.clustersWithIncidents().has(cluster);
    return this.#samples.of(cluster, { machine, state, now, isQuiet });
  }

  #logOutput(output: AlertingOutput): void {
    const { log } = this.#dependencies;
    if (output.kind === 'incident') this.#incidentLog.record(output.alert);
    else if (output.kind === 'unrouted') {
      const { rule, severity, labels, episode } = output.alert;
      log[output.isIntended ? 'info' : 'warn']('alert sent to no receiver', {
        rule,
        severity,
        labels,
        incident: episode,
      });
    } else if (output.kind === 'crowded') {
      const { cluster, droppedCount } = output;
      const say = () =>
        log.error('alert limit exceeded, dropping less severe alerts', {
          cluster,
          left: droppedCount,
        });
      this.#logOnce(`crowded ${cluster}`, say);
    }
  }

  #logOnce(what: string, say: () => void): void {
    if (this.#logged.has(what)) return;
    this.#logged.add(what);
    say();
  }
}

/**
 * Returns the ends of alerts that alerting notifies no receiver of. A receiver that was removed and is added again may have
 * the incident open; other receivers do not get its end.
 */
function unannouncedEnds(
  alerts: readonly Alert[],
  notices: readonly AlertNotification[],
  { wall }: Instant,
): readonly AlertNotification[] {
  const ended = alerts.filter(({ status }) => status === 'resolved');
  if (ended.length === 0) return [];
  const announced = new Set(notices.filter(({ kind }) => kind === 'resolve').map(({ alert }) => alert.key));
  return ended.filter(({ key }) => !announced.has(key)).map((alert) => ({ kind: 'resolve', alert, due: wall }));
}

function joinResults(one: AlertStepResult, other: AlertStepResult): AlertStepResult {
  return {
    changes: [...one.changes, ...other.changes],
    changedAlerts: [...one.changedAlerts, ...other.changedAlerts],
    release: () => {
      one.release();
      other.release();
    },
  };
}

const emptyResult: AlertStepResult = { changes: [], changedAlerts: [], release: () => undefined };
