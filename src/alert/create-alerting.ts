import type { Digest } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import type { StateMachine } from '../metric/state-machine.ts';
import { type Alert, type Destination, heartbeatRule, type ReceiverTraits } from '../model/alert.ts';
import type { Situation } from '../model/situation.ts';
import type { AlertingInput, AlertingOutput, AlertingSettings } from './alerting.ts';
import { alertingSamples, type ShownCounts } from './alerting-metrics.ts';
import {
  incidentDeletion,
  incidentUpsert,
  isStoredChange,
  lastNumberUpsert,
  silenceDeletion,
} from './alerting-store.ts';
import { type EnabledRule, type Evaluation, evaluateClusterRules, evaluateSelfRules } from './evaluation.ts';
import type { AlertingState, Incident, Suppression } from './incident.ts';
import { isNotified, notifiedLabels } from './incident-content.ts';
import { isRelabeled } from './incident-labels.ts';
import { IncidentTargets, withoutRemovedReceivers } from './incident-targets.ts';
import {
  renderAnnotations,
  withBeginning,
  withCurrentState,
  withCurrentTexts,
  withoutEvaluation,
} from './incident-texts.ts';
import { withoutClusters } from './merge-state.ts';
import { mutedIncidents } from './muting.ts';
import { firingAlert, notifyFiring, notifyResolved, resolvedAlert } from './notifications.ts';
import { type AlertingResult, applyOperatorAction } from './operator-actions.ts';
import { eventsOfChanges, withRecentEvents } from './related-events.ts';
import { awaitedCause, effectsByLead, passOn, type RollUpContext, rollUp } from './roll-up.ts';
import { isDroppedByRoutes } from './routing.ts';
import type { ClusterRule, Rule, SelfRule } from './rule.ts';
import { InhibitionIndex } from './suppression.ts';
import { recentlyResolved, updateIncidents } from './update-incidents.ts';
import { hasUnmutedPage, withhold, withholdMuted } from './withheld-notifications.ts';

/** Dependencies of alerting. */
export interface AlertingDependencies {
  readonly receivers: readonly ReceiverTraits[];
  /** Public address of graphwarden, for links. */
  readonly externalUrl?: string;
  readonly digest: Digest;
}

/** State machine of alerting. Its initial state is restored from the store, and its samples are separate by cluster. */
export interface Alerting extends Pick<StateMachine<AlertingState, AlertingInput, AlertingOutput>, 'step'> {
  /** Returns the destinations of the firing incidents by key, whether or not they are suppressed. */
  destinationsOf(state: AlertingState): ReadonlyMap<string, readonly Destination[]>;
  /** Returns the samples of one cluster's alerts; `''` for self-alerts. */
  samplesOf(state: AlertingState, cluster: string, shownCounts: ShownCounts): ReturnType<typeof alertingSamples>;
}

/** Creates the state machine that evaluates rules and decides which receivers to notify. */
export function createAlerting(
  rules: readonly Rule[],
  settings: AlertingSettings,
  dependencies: AlertingDependencies,
): Alerting {
  return new AlertEvaluator(rules, settings, dependencies);
}

class AlertEvaluator implements Alerting {
  readonly #settings: AlertingSettings;
  readonly #dependencies: AlertingDependencies;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #enabled: readonly Rule[];
  readonly #clusterRules: readonly EnabledRule<ClusterRule>[];
  readonly #selfRules: readonly EnabledRule<SelfRule>[];
  /** The latest evaluation of each cluster. */
  readonly #latest = new Map<string, Evaluation>();
  readonly #targets: IncidentTargets;

  constructor(rules: readonly Rule[], settings: AlertingSettings, dependencies: AlertingDependencies) {
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#targets = new IncidentTargets(settings.routes, dependencies.receivers);
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.#enabled = rules.filter(({ name }) => settings.rules[name]?.enabled === true);
    this.#clusterRules = this.#enabled.flatMap((rule) => (rule.scope === 'cluster' ? this.#withSettings(rule) : []));
    this.#selfRules = this.#enabled.flatMap((rule) => (rule.scope === 'self' ? this.#withSettings(rule) : []));
  }

  step(state: AlertingState, input: AlertingInput, now: Instant): AlertingResult {
    if (input.kind === 'situation') return this.#evaluate(state, input.situation, now);
    if (input.kind === 'self')
      return this.#expireSilences(state, evaluateSelfRules(input.self, this.#selfRules, now), now);
    if (input.kind === 'events') {
      const recentEvents = withRecentEvents(state.recentEvents, input.events, now.wall);
      return { state: { ...state, recentEvents }, outputs: [] };
    }
    if (input.kind === 'disowned') {
      for (const cluster of input.clusters) this.#latest.delete(cluster);
      return { state: withoutClusters(state, input.clusters), outputs: [] };
    }
    if (input.kind === 'clusters') return this.#closeUnconfigured(state, input.names, now);
    const context = { ...this.#dependencies, now };
    if (input.kind === 'restored') return withholdMuted(state, this.#settings, context);
    const applied = applyOperatorAction(state, input, context);
    if (input.kind !== 'silence') return applied;
    const { state: next, outputs } = withholdMuted(applied.state, this.#settings, context);
    return { state: next, outputs: [...applied.outputs, ...outputs] };
  }

  destinationsOf({ incidents }: AlertingState): ReadonlyMap<string, readonly Destination[]> {
    const effects = effectsByLead(incidents.values());
    const firing = [...incidents.values()].filter(({ phase }) => phase === 'firing');
    return new Map(firing.map((one) => [one.key, this.#targets.of(one, effects.get(one.identityKey) ?? [])]));
  }

  samplesOf(...[state, cluster, shownCounts]: Parameters<Alerting['samplesOf']>): ReturnType<typeof alertingSamples> {
    return alertingSamples(state, cluster, this.#enabled, { ...this.#settings, shownCounts });
  }

  #withSettings<R extends Rule>(rule: R): readonly EnabledRule<R>[] {
    const settings = this.#settings.rules[rule.name];
    return settings === undefined ? [] : [{ rule, settings }];
  }

  #evaluate(state: AlertingState, situation: Situation, now: Instant): AlertingResult {
    const earlier = this.#latest.get(situation.cluster);
    const evaluation = evaluateClusterRules(situation, this.#clusterRules, now, earlier);
    this.#latest.set(situation.cluster, evaluation);
    return this.#apply(state, evaluation, now);
  }

  /** Applies the result of an evaluation: updates incidents and outputs notifications. */
  #apply(before: AlertingState, evaluation: Evaluation, now: Instant): AlertingResult {
    const updated = updateIncidents(before, evaluation, this.#dependencies.digest, now);
    const { state, incidents, fired, droppedCount, isUnfinished } = updated;
    const ended = updated.resolved.map((one) => withCurrentState(one, this.#rules.get(one.rule), evaluation));
    const happened = eventsOfChanges(before.incidents, incidents, evaluation.cluster, now.wall);
    const recentEvents = withRecentEvents(state.recentEvents, happened, now.wall);
    const outputs: AlertingOutput[] = [];
    if (fired.length > 0) outputs.push({ kind: 'change', change: lastNumberUpsert(state.lastNumber) });
    if (isUnfinished) outputs.push({ kind: 'unfinished' });
    if (droppedCount > 0) outputs.push({ kind: 'crowded', cluster: evaluation.cluster, droppedCount });
    const own = [...incidents.values()].filter(({ cluster }) => cluster === evaluation.cluster);
    for (const one of withCurrentTexts(own, before.incidents, this.#render, now)) incidents.set(one.identityKey, one);
    const over = this.#endAll(ended, incidents, updated.inhibitions, now);
    outputs.unshift(...over.flatMap((one) => this.#resolve(one, now)));
    const firing = own.flatMap((one) => (one.phase === 'firing' ? (incidents.get(one.identityKey) ?? []) : []));
    const { maintenance, inhibitRules = [] } = this.#settings;
    const muting = { silences: state.silences, maintenance, inhibitRules, incidents, now };
    const muted = mutedIncidents(firing, muting);
    const isMuted = ({ identityKey }: Incident) => muted.has(identityKey);
    const context = { inhibitions: updated.inhibitions, isMuted, now };
    const effects = rollUp(incidents, firing, context);
    const begun = new Set(fired.map(({ identityKey }) => identityKey));
    for (const { identityKey } of firing) {
      const known = incidents.get(identityKey);
      if (known === undefined) continue;
      const one = begun.has(identityKey) ? withBeginning(known, recentEvents) : known;
      const about = { before: before.incidents.get(identityKey), incidents, muted, now };
      const current = { effects: effects.get(identityKey) ?? [], ...about };
      const suppression = this.#suppressionOf(one, current.effects, { ...context, muted });
      const next = this.#notify(one, suppression, current, outputs);
      if (next !== known) incidents.set(identityKey, next);
      if (begun.has(identityKey))
        outputs.push(...this.#incidentOutput(firingAlert(next, this.#dependencies.externalUrl)));
      if (begun.has(identityKey) || isStoredChange(before.incidents.get(identityKey), next)) {
        outputs.push({ kind: 'change', change: incidentUpsert(next) });
      }
    }
    const resolved = recentlyResolved(state, over, now);
    return { state: { ...state, incidents, recentEvents, ...this.#countFired(state, fired), resolved }, outputs };
  }

  /** Ends incidents. If effects of a cause still fire, one of them continues its incident. */
  #endAll(
    resolved: readonly Incident[],
    incidents: Map<string, Incident>,
    inhibitions: InhibitionIndex,
    now: Instant,
  ): readonly Incident[] {
    if (resolved.length === 0) return [];
    const effects = effectsByLead(incidents.values());
    const context = { inhibitions, now, hasReceivers: this.#dependencies.receivers.length > 0 };
    return resolved.map((one) => passOn(incidents, one, effects.get(one.identityKey) ?? [], context));
  }

  readonly #render = (incident: Incident): Incident['annotations'] | undefined => {
    const rule = this.#rules.get(incident.rule);
    return rule && renderAnnotations(incident, rule, this.#settings);
  };

  #notify(
    incident: Incident,
    suppression: Suppression | undefined,
    context: NotifyContext,
    outputs: AlertingOutput[],
  ): Incident {
    const { effects, before, muted, now } = context;
    const about = { ...this.#dependencies, ...context };
    // A page about a critical effect must not be muted or stay withheld with its cause.
    const isMuted = incident.isWithheld === true || muted.has(incident.identityKey);
    const isReleased = isMuted && hasUnmutedPage(effects, muted);
    const held = isReleased ? undefined : suppression;
    if (isNotified(incident) && isRelabeled(before, incident, held !== undefined)) {
      const alert = firingAlert(incident, this.#dependencies.externalUrl, effects);
      outputs.push({ kind: 'notice', notification: { kind: 'relabel', alert, due: now.wall } });
    }
    const one = held === undefined ? incident : withhold(incident, held, about, outputs);
    const targets = held === undefined ? this.#targets.of(incident, effects) : [];
    const reported = notifyFiring(one, held, targets, about);
    for (const notification of reported.notifications) outputs.push({ kind: 'notice', notification });
    const { receivers, externalUrl } = this.#dependencies;
    if (reported.incident.unrouted === true && incident.unrouted !== true && receivers.length > 0) {
      const isIntended = isDroppedByRoutes(notifiedLabels(incident), this.#settings.routes);
      outputs.push({ kind: 'unrouted', alert: firingAlert(reported.incident, externalUrl), isIntended });
    }
    return reported.incident;
  }

  /** Returns why an incident is suppressed. */
  #suppressionOf(
    incident: Incident,
    effects: readonly Incident[],
    context: SuppressionContext,
  ): Suppression | undefined {
    if (incident.rule === heartbeatRule) return undefined;
    const muted = context.muted.get(incident.identityKey);
    if (muted !== undefined) return muted;
    if (incident.lead !== undefined) return { kind: 'effect', by: incident.lead };
    // An alert that is part of an incident must not inhibit it.
    const isOther = ({ identityKey }: Incident) => effects.every((effect) => effect.identityKey !== identityKey);
    const by = context.inhibitions.inhibitorOf(incident, isOther);
    if (by !== undefined) return { kind: 'inhibition', by };
    const awaited = awaitedCause(incident, effects, context);
    return awaited && { kind: 'awaited_cause', ...awaited };
  }

  #resolve(incident: Incident, now: Instant): readonly AlertingOutput[] {
    const notices = notifyResolved(incident, { ...this.#dependencies, now });
    return [
      ...notices.map((notification): AlertingOutput => ({ kind: 'notice', notification })),
      ...this.#incidentOutput(resolvedAlert(incident, this.#dependencies.externalUrl, now)),
      { kind: 'change', change: incidentDeletion(incident) },
    ];
  }

  #incidentOutput(alert: Alert): readonly AlertingOutput[] {
    return alert.rule === heartbeatRule ? [] : [{ kind: 'incident', alert }];
  }

  #countFired({ counts }: AlertingState, fired: readonly Incident[]): Pick<AlertingState, 'counts'> {
    if (fired.length === 0) return { counts };
    const next = new Map(counts);
    for (const { cluster, rule, severity } of fired) {
      const key = JSON.stringify([cluster, rule, severity]);
      next.set(key, { cluster, rule, severity, count: (next.get(key)?.count ?? 0) + 1 });
    }
    return { counts: next };
  }

  /** Removes expired silences with each self-evaluation. */
  #expireSilences(state: AlertingState, evaluation: Evaluation, now: Instant): AlertingResult {
    const over = [...state.silences.values()].filter(({ endsAt }) => endsAt <= now.wall).map(({ id }) => id);
    if (over.length === 0) return this.#apply(state, evaluation, now);
    const silences = new Map([...state.silences].filter(([id]) => !over.includes(id)));
    const next = this.#apply({ ...state, silences }, evaluation, now);
    const changes = over.map((id): AlertingOutput => ({ kind: 'change', change: silenceDeletion(id) }));
    return { ...next, outputs: [...changes, ...next.outputs] };
  }

  /** Closes the incidents of clusters that were removed from the configuration, and of disabled rules. */
  #closeUnconfigured(state: AlertingState, names: readonly string[], now: Instant): AlertingResult {
    const isUnconfigured = ({ cluster, rule }: Incident): boolean =>
      (cluster !== '' && !names.includes(cluster)) || this.#enabled.every(({ name }) => name !== rule);
    const over = [...state.incidents.values()].filter(isUnconfigured);
    const firing = over.filter(({ phase }) => phase === 'firing').map(withoutEvaluation);
    const incidents = new Map(state.incidents);
    for (const { identityKey } of over) incidents.delete(identityKey);
    const ended = this.#endAll(firing, incidents, new InhibitionIndex(incidents.values()), now);
    for (const [key, one] of incidents) incidents.set(key, withoutRemovedReceivers(one, this.#dependencies.receivers));
    const kept = [...incidents.values()].filter((one) => one !== state.incidents.get(one.identityKey));
    if (over.length === 0 && kept.length === 0) return { state, outputs: [] };
    return {
      state: { ...state, incidents, resolved: recentlyResolved(state, ended, now) },
      outputs: [
        ...ended.flatMap((one) => this.#resolve(one, now)),
        ...kept.map((one): AlertingOutput => ({ kind: 'change', change: incidentUpsert(one) })),
      ],
    };
  }
}

interface SuppressionContext extends RollUpContext {
  readonly muted: ReadonlyMap<string, Suppression>;
}

interface NotifyContext extends Pick<SuppressionContext, 'muted' | 'now'> {
  readonly effects: readonly Incident[];
  readonly incidents: AlertingState['incidents'];
  /** The incident before the evaluation. */
  readonly before: Incident | undefined;
}
