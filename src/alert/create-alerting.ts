import type { Digest } from '../kernel/system.ts';
import type { Instant } from '../kernel/time.ts';
import type { StateMachine } from '../metric/state-machine.ts';
import type { Alert, ReceiverTraits } from '../model/alert.ts';
import type { AlertingInput, AlertingOutput, AlertingSettings } from './alerting.ts';
import { alertingSamples } from './alerting-metrics.ts';
import { incidentDeletion, incidentUpsert, lastNumberUpsert, silenceDeletion } from './alerting-store.ts';
import { type EnabledRule, type Evaluation, evaluateClusterRules, evaluateSelfRules } from './evaluation.ts';
import type { AlertingState, Incident, Suppression } from './incident.ts';
import { matches } from './matcher.ts';
import { firingAlert, notifyFiring, notifyResolved, resolvedAlert } from './notifications.ts';
import { applyOperatorAction, type StepResult } from './operator-actions.ts';
import { heartbeatRule, heartbeatTargets, routeTargets, type Target, withNamedReceivers } from './routing.ts';
import type { ClusterRule, Rule, SelfRule } from './rule.ts';
import type { InhibitionIndex } from './suppression.ts';
import { openWindow } from './suppression.ts';
import { renderAnnotations } from './templates.ts';
import { updateIncidents } from './update-incidents.ts';

/** Dependencies of alerting. */
export interface AlertingDependencies {
  readonly receivers: readonly ReceiverTraits[];
  /** For links. */
  readonly externalUrl?: string;
  readonly digest: Digest;
}

/** A machine of alerting; its samples are asked for by cluster, and what it begins with is restored. */
export interface Alerting extends Pick<StateMachine<AlertingState, AlertingInput, AlertingOutput>, 'step'> {
  /** What is shown of one cluster's alerts; `''` for those about ourselves. */
  samplesOf(state: AlertingState, cluster: string): ReturnType<typeof alertingSamples>;
}

/** How long, and how many, resolved incidents are kept for the API. */
const resolvedRetention = 3_600_000;
const maxResolvedIncidents = 500;

/** Creates the state machine that evaluates rules and decides which receivers to notify. */
export function createAlerting(
  rules: readonly Rule[],
  settings: AlertingSettings,
  surroundings: AlertingDependencies,
): Alerting {
  const evaluator = new AlertEvaluator(rules, settings, surroundings);
  return {
    step: (state, input, now) => evaluator.step(state, input, now),
    samplesOf: (state, cluster) => evaluator.samplesOf(state, cluster),
  };
}

class AlertEvaluator {
  readonly #settings: AlertingSettings;
  readonly #dependencies: AlertingDependencies;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #enabled: readonly Rule[];
  readonly #clusterRules: readonly EnabledRule<ClusterRule>[];
  readonly #selfRules: readonly EnabledRule<SelfRule>[];

  constructor(rules: readonly Rule[], settings: AlertingSettings, surroundings: AlertingDependencies) {
    this.#settings = settings;
    this.#dependencies = surroundings;
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.#enabled = rules.filter(({ name }) => settings.rules[name]?.enabled === true);
    this.#clusterRules = this.#enabled.flatMap((rule) => (rule.scope === 'cluster' ? this.#withSettings(rule) : []));
    this.#selfRules = this.#enabled.flatMap((rule) => (rule.scope === 'self' ? this.#withSettings(rule) : []));
  }

  step(state: AlertingState, input: AlertingInput, now: Instant): StepResult {
    if (input.kind === 'situation')
      return this.#apply(state, evaluateClusterRules(input.situation, this.#clusterRules, now), now);
    if (input.kind === 'self')
      return this.#expireSilences(state, evaluateSelfRules(input.self, this.#selfRules, now), now);
    if (input.kind === 'clusters') return this.#closeUnconfigured(state, input.names, now);
    return applyOperatorAction(state, input, { ...this.#dependencies, now });
  }

  samplesOf(state: AlertingState, cluster: string): ReturnType<typeof alertingSamples> {
    return alertingSamples(state, cluster, this.#enabled, this.#settings);
  }

  #withSettings<R extends Rule>(rule: R): readonly EnabledRule<R>[] {
    const settings = this.#settings.rules[rule.name];
    return settings === undefined ? [] : [{ rule, settings }];
  }

  /** Applies the result of an evaluation: updates incidents and outputs notifications. */
  #apply(before: AlertingState, evaluation: Evaluation, now: Instant): StepResult {
    const { state, fired, resolved, inhibitions, droppedCount } = updateIncidents(
      before,
      evaluation,
      this.#dependencies.digest,
      now,
    );
    const incidents = new Map(state.incidents);
    const outputs: AlertingOutput[] = resolved.flatMap((episode) => this.#resolve(episode, now));
    if (fired.length > 0) outputs.push({ kind: 'change', change: lastNumberUpsert(state.lastNumber) });
    if (droppedCount > 0) outputs.push({ kind: 'crowded', cluster: evaluation.cluster, droppedCount });
    const begun = new Set(fired.map(({ place }) => place));
    for (const episode of state.incidents.values()) {
      if (episode.cluster !== evaluation.cluster) continue;
      const worded = this.#renderTexts(episode, before.incidents.get(episode.place), outputs);
      const next = episode.phase === 'firing' ? this.#notify(worded, { state, inhibitions, now }, outputs) : worded;
      incidents.set(episode.place, next);
      if (begun.has(episode.place))
        outputs.push(...this.#incidentOutput(firingAlert(next, this.#dependencies.externalUrl)));
      if (begun.has(episode.place) || next.notified !== episode.notified) {
        outputs.push({ kind: 'change', change: incidentUpsert(next) });
      }
    }
    return {
      state: {
        ...state,
        incidents,
        ...this.#countFired(state, fired),
        resolved: recentlyResolved(state, resolved, now),
      },
      outputs,
    };
  }

  /** Renders the annotations again if the facts changed. */
  #renderTexts(episode: Incident, before: Incident | undefined, outputs: AlertingOutput[]): Incident {
    const rule = this.#rules.get(episode.rule);
    if (rule === undefined || (before !== undefined && sameFacts(before.facts, episode.facts))) return episode;
    const { annotations, error } = renderAnnotations(episode, rule, this.#settings, this.#dependencies.externalUrl);
    if (error !== undefined && before === undefined) {
      outputs.push({ kind: 'template', rule: rule.name, message: error });
    }
    return { ...episode, annotations };
  }

  #notify(episode: Incident, { state, inhibitions, now }: NotifyContext, outputs: AlertingOutput[]): Incident {
    const held = this.#suppressionOf(episode, state, inhibitions, now);
    const reported = notifyFiring(episode, held, this.#targets(episode), { ...this.#dependencies, now });
    for (const notification of reported.notifications) outputs.push({ kind: 'notice', notification });
    return reported.incident;
  }

  #targets({ rule, cluster, labels, identity, receivers: named }: Incident): readonly Target[] {
    const { receivers } = this.#dependencies;
    if (rule === heartbeatRule) return heartbeatTargets(receivers);
    const routed = routeTargets(
      labels,
      this.#settings.routes,
      receivers,
      cluster === '' ? identity.receiver : undefined,
    );
    return withNamedReceivers(routed, named, receivers);
  }

  /** Returns why an incident is suppressed. Nothing suppresses the heartbeat, so that its absence always means a failure. */
  #suppressionOf(
    episode: Incident,
    state: AlertingState,
    explanations: InhibitionIndex,
    { wall }: Instant,
  ): Suppression | undefined {
    if (episode.rule === heartbeatRule) return undefined;
    for (const { id, matchers, startsAt, endsAt } of state.silences.values()) {
      if (startsAt <= wall && wall < endsAt && matches(matchers, episode.labels)) return { kind: 'silence', id };
    }
    const name = openWindow(this.#settings.maintenance, episode.labels, wall);
    if (name !== undefined) return { kind: 'maintenance', name };
    const by = explanations.inhibitorOf(episode);
    return by === undefined ? undefined : { kind: 'inhibition', by };
  }

  #resolve(episode: Incident, now: Instant): readonly AlertingOutput[] {
    const notices = notifyResolved(episode, { ...this.#dependencies, now });
    return [
      ...notices.map((notification): AlertingOutput => ({ kind: 'notice', notification })),
      ...this.#incidentOutput(resolvedAlert(episode, this.#dependencies.externalUrl, now)),
      { kind: 'change', change: incidentDeletion(episode) },
    ];
  }

  #incidentOutput(alert: Alert): readonly AlertingOutput[] {
    return alert.rule === heartbeatRule ? [] : [{ kind: 'episode', alert }];
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
  #expireSilences(state: AlertingState, evaluation: Evaluation, now: Instant): StepResult {
    const over = [...state.silences.values()].filter(({ endsAt }) => endsAt <= now.wall).map(({ id }) => id);
    if (over.length === 0) return this.#apply(state, evaluation, now);
    const silences = new Map([...state.silences].filter(([id]) => !over.includes(id)));
    const next = this.#apply({ ...state, silences }, evaluation, now);
    const changes = over.map((id): AlertingOutput => ({ kind: 'change', change: silenceDeletion(id) }));
    return { ...next, outputs: [...changes, ...next.outputs] };
  }

  /** What left the configuration is over: its clusters, and the rules that were switched off. */
  #closeUnconfigured(state: AlertingState, names: readonly string[], now: Instant): StepResult {
    const isLeft = ({ cluster, rule }: Incident): boolean =>
      (cluster !== '' && !names.includes(cluster)) || this.#enabled.every(({ name }) => name !== rule);
    const over = [...state.incidents.values()].filter(isLeft);
    const gone = new Set(over.map(({ place }) => place));
    const stays = [...state.incidents].filter(([place]) => !gone.has(place));
    const incidents = new Map(stays.map(([place, episode]) => [place, this.#withoutRemovedReceivers(episode)]));
    const changed = [...incidents.values()].filter((episode) => episode !== state.incidents.get(episode.place));
    if (over.length === 0 && changed.length === 0) return { state, outputs: [] };
    const ended = over.filter(({ phase }) => phase === 'firing');
    const kept = changed.map((episode): AlertingOutput => ({ kind: 'change', change: incidentUpsert(episode) }));
    return {
      state: { ...state, incidents, resolved: recentlyResolved(state, ended, now) },
      outputs: [...ended.flatMap((episode) => this.#resolve(episode, now)), ...kept],
    };
  }

  /** Removes the notification times of removed receivers: a receiver that is added again is notified again. */
  #withoutRemovedReceivers(episode: Incident): Incident {
    const { receivers } = this.#dependencies;
    const kept = Object.entries(episode.notified).filter(([name]) =>
      receivers.some((receiver) => receiver.name === name),
    );
    return kept.length === Object.keys(episode.notified).length
      ? episode
      : { ...episode, notified: Object.fromEntries(kept) };
  }
}

interface NotifyContext {
  readonly state: AlertingState;
  readonly inhibitions: InhibitionIndex;
  readonly now: Instant;
}

function recentlyResolved(
  { resolved }: AlertingState,
  ended: readonly Incident[],
  { wall }: Instant,
): AlertingState['resolved'] {
  const recent = resolved.filter(({ endsAt }) => wall - endsAt < resolvedRetention);
  if (ended.length === 0 && recent.length === resolved.length) return resolved;
  return [...recent, ...ended.map((episode) => ({ episode, endsAt: wall }))].slice(-maxResolvedIncidents);
}

function sameFacts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
