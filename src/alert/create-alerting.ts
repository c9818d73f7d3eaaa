import type { Digest } from '../kernel/digest.ts';
import type { Instant } from '../kernel/time.ts';
import type { Machine } from '../metric/machine.ts';
import type { Alert, ReceiverTraits } from '../model/alert.ts';
import type { AlertingInput, AlertingOutput, AlertingSettings } from './alerting.ts';
import { alertingSamples } from './alerting-metrics.ts';
import type { AlertingState, Episode, Held } from './episode.ts';
import { episodeKept, episodeOver, lastNumberKept, silenceKept, silenceOver } from './episode-rows.ts';
import type { Explanations } from './inhibition.ts';
import { type Enabled, type Judgement, judgeCluster, judgeSelf } from './judgement.ts';
import { windowAt } from './maintenance.ts';
import { matches } from './match.ts';
import { progress } from './progress.ts';
import { heartbeatTargets, type Target, targetsOf, withNamed } from './routing.ts';
import type { ClusterRule, Rule, SelfRule } from './rule.ts';
import { alertOf, resolvedOf, tell, tellEnd } from './telling.ts';
import { textsOf } from './texts.ts';

/** What alerting knows of its surroundings. */
export interface AlertingSurroundings {
  readonly receivers: readonly ReceiverTraits[];
  /** For links. */
  readonly externalUrl?: string;
  readonly digest: Digest;
}

/** A machine of alerting; its samples are asked for by cluster, and what it begins with is restored. */
export interface Alerting extends Pick<Machine<AlertingState, AlertingInput, AlertingOutput>, 'step'> {
  /** What is shown of one cluster's alerts; `''` for those about ourselves. */
  samplesOf(state: AlertingState, cluster: string): ReturnType<typeof alertingSamples>;
}

interface Step {
  readonly state: AlertingState;
  readonly outputs: readonly AlertingOutput[];
}

/** The rule of the dead-man's switch. */
const heartbeat = 'watchdog';

/** How long, and how many, episodes that are over are remembered for those who look. */
const rememberFor = 3_600_000;
const mostPast = 500;

/** Judges situations by the rules, and says who is to be told what. */
export function createAlerting(
  rules: readonly Rule[],
  settings: AlertingSettings,
  surroundings: AlertingSurroundings,
): Alerting {
  const court = new Court(rules, settings, surroundings);
  return {
    step: (state, input, now) => court.step(state, input, now),
    samplesOf: (state, cluster) => court.samplesOf(state, cluster),
  };
}

class Court {
  readonly #settings: AlertingSettings;
  readonly #surroundings: AlertingSurroundings;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #enabled: readonly Rule[];
  readonly #ofClusters: readonly Enabled<ClusterRule>[];
  readonly #ofOurselves: readonly Enabled<SelfRule>[];

  constructor(rules: readonly Rule[], settings: AlertingSettings, surroundings: AlertingSurroundings) {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.#enabled = rules.filter(({ name }) => settings.rules[name]?.enabled === true);
    this.#ofClusters = this.#enabled.flatMap((rule) => (rule.scope === 'cluster' ? this.#with(rule) : []));
    this.#ofOurselves = this.#enabled.flatMap((rule) => (rule.scope === 'self' ? this.#with(rule) : []));
  }

  step(state: AlertingState, input: AlertingInput, now: Instant): Step {
    if (input.kind === 'situation')
      return this.#apply(state, judgeCluster(input.situation, this.#ofClusters, now), now);
    if (input.kind === 'self') return this.#tidied(state, judgeSelf(input.self, this.#ofOurselves, now), now);
    if (input.kind === 'clusters') return this.#close(state, input.names, now);
    const silences = new Map(state.silences);
    if (input.kind === 'silence') {
      silences.set(input.silence.id, input.silence);
      return { state: { ...state, silences }, outputs: [{ kind: 'change', change: silenceKept(input.silence) }] };
    }
    silences.delete(input.id);
    return { state: { ...state, silences }, outputs: [{ kind: 'change', change: silenceOver(input.id) }] };
  }

  samplesOf(state: AlertingState, cluster: string): ReturnType<typeof alertingSamples> {
    return alertingSamples(state, cluster, this.#enabled, this.#settings);
  }

  #with<R extends Rule>(rule: R): readonly Enabled<R>[] {
    const settings = this.#settings.rules[rule.name];
    return settings === undefined ? [] : [{ rule, settings }];
  }

  /** What a judgement changes, and who is to be told. */
  #apply(before: AlertingState, judgement: Judgement, now: Instant): Step {
    const { state, fired, ended, explanations, left } = progress(before, judgement, this.#surroundings.digest, now);
    const episodes = new Map(state.episodes);
    const outputs: AlertingOutput[] = ended.flatMap((episode) => this.#farewell(episode, now));
    if (fired.length > 0) outputs.push({ kind: 'change', change: lastNumberKept(state.lastNumber) });
    if (left > 0) outputs.push({ kind: 'crowded', cluster: judgement.cluster, left });
    const begun = new Set(fired.map(({ place }) => place));
    for (const episode of state.episodes.values()) {
      if (episode.cluster !== judgement.cluster) continue;
      const worded = this.#worded(episode, before.episodes.get(episode.place), outputs);
      const next = episode.phase === 'firing' ? this.#tell(worded, { state, explanations, now }, outputs) : worded;
      episodes.set(episode.place, next);
      if (begun.has(episode.place)) outputs.push(...this.#news(alertOf(next, this.#surroundings.externalUrl)));
      if (begun.has(episode.place) || next.told !== episode.told) {
        outputs.push({ kind: 'change', change: episodeKept(next) });
      }
    }
    return { state: { ...state, episodes, ...this.#counted(state, fired), past: pastOf(state, ended, now) }, outputs };
  }

  /** Texts are made when the facts are other ones. */
  #worded(episode: Episode, before: Episode | undefined, outputs: AlertingOutput[]): Episode {
    const rule = this.#rules.get(episode.rule);
    if (rule === undefined || (before !== undefined && sameTexts(before.facts, episode.facts))) return episode;
    const { annotations, trouble } = textsOf(episode, rule, this.#settings, this.#surroundings.externalUrl);
    if (trouble !== undefined && before === undefined) {
      outputs.push({ kind: 'template', rule: rule.name, message: trouble });
    }
    return { ...episode, annotations };
  }

  #tell(episode: Episode, { state, explanations, now }: Hearing, outputs: AlertingOutput[]): Episode {
    const held = this.#held(episode, state, explanations, now);
    const told = tell(episode, held, this.#targets(episode), { ...this.#surroundings, now });
    for (const notice of told.notices) outputs.push({ kind: 'notice', notice });
    return told.episode;
  }

  #targets({ rule, cluster, labels, identity, receivers: named }: Episode): readonly Target[] {
    const { receivers } = this.#surroundings;
    if (rule === heartbeat) return heartbeatTargets(receivers);
    const routed = targetsOf(labels, this.#settings.routes, receivers, cluster === '' ? identity.receiver : undefined);
    return withNamed(routed, named, receivers);
  }

  /** The heartbeat of the dead man's switch is held back by nothing: that nobody hears it has to mean something. */
  #held(episode: Episode, state: AlertingState, explanations: Explanations, { wall }: Instant): Held | undefined {
    if (episode.rule === heartbeat) return undefined;
    for (const { id, match, startsAt, endsAt } of state.silences.values()) {
      if (startsAt <= wall && wall < endsAt && matches(match, episode.labels)) return { kind: 'silence', id };
    }
    const name = windowAt(this.#settings.maintenance, episode.labels, wall);
    if (name !== undefined) return { kind: 'maintenance', name };
    const by = explanations.of(episode);
    return by === undefined ? undefined : { kind: 'inhibition', by };
  }

  #farewell(episode: Episode, now: Instant): readonly AlertingOutput[] {
    const notices = tellEnd(episode, { ...this.#surroundings, now });
    return [
      ...notices.map((notice): AlertingOutput => ({ kind: 'notice', notice })),
      ...this.#news(resolvedOf(episode, this.#surroundings.externalUrl, now)),
      { kind: 'change', change: episodeOver(episode) },
    ];
  }

  #news(alert: Alert): readonly AlertingOutput[] {
    return alert.rule === heartbeat ? [] : [{ kind: 'episode', alert }];
  }

  #counted({ counts }: AlertingState, fired: readonly Episode[]): Pick<AlertingState, 'counts'> {
    if (fired.length === 0) return { counts };
    const next = new Map(counts);
    for (const { cluster, rule, severity } of fired) {
      const key = JSON.stringify([cluster, rule, severity]);
      next.set(key, { cluster, rule, severity, count: (next.get(key)?.count ?? 0) + 1 });
    }
    return { counts: next };
  }

  /** With every look at ourselves, silences whose time is over go. */
  #tidied(state: AlertingState, judgement: Judgement, now: Instant): Step {
    const over = [...state.silences.values()].filter(({ endsAt }) => endsAt <= now.wall).map(({ id }) => id);
    if (over.length === 0) return this.#apply(state, judgement, now);
    const silences = new Map([...state.silences].filter(([id]) => !over.includes(id)));
    const next = this.#apply({ ...state, silences }, judgement, now);
    const changes = over.map((id): AlertingOutput => ({ kind: 'change', change: silenceOver(id) }));
    return { ...next, outputs: [...changes, ...next.outputs] };
  }

  /** What left the configuration is over: its clusters, and the rules that were switched off. */
  #close(state: AlertingState, names: readonly string[], now: Instant): Step {
    const isLeft = ({ cluster, rule }: Episode): boolean =>
      (cluster !== '' && !names.includes(cluster)) || this.#enabled.every(({ name }) => name !== rule);
    const over = [...state.episodes.values()].filter(isLeft);
    const gone = new Set(over.map(({ place }) => place));
    const stays = [...state.episodes].filter(([place]) => !gone.has(place));
    const episodes = new Map(stays.map(([place, episode]) => [place, this.#withoutStrangers(episode)]));
    const changed = [...episodes.values()].filter((episode) => episode !== state.episodes.get(episode.place));
    if (over.length === 0 && changed.length === 0) return { state, outputs: [] };
    const ended = over.filter(({ phase }) => phase === 'firing');
    const kept = changed.map((episode): AlertingOutput => ({ kind: 'change', change: episodeKept(episode) }));
    return {
      state: { ...state, episodes, past: pastOf(state, ended, now) },
      outputs: [...ended.flatMap((episode) => this.#farewell(episode, now)), ...kept],
    };
  }

  /** What a receiver was told leaves with it: if it comes back, it is told anew. */
  #withoutStrangers(episode: Episode): Episode {
    const { receivers } = this.#surroundings;
    const told = Object.entries(episode.told).filter(([name]) => receivers.some((receiver) => receiver.name === name));
    return told.length === Object.keys(episode.told).length ? episode : { ...episode, told: Object.fromEntries(told) };
  }
}

interface Hearing {
  readonly state: AlertingState;
  readonly explanations: Explanations;
  readonly now: Instant;
}

function pastOf({ past }: AlertingState, ended: readonly Episode[], { wall }: Instant): AlertingState['past'] {
  const recent = past.filter(({ endsAt }) => wall - endsAt < rememberFor);
  if (ended.length === 0 && recent.length === past.length) return past;
  return [...recent, ...ended.map((episode) => ({ episode, endsAt: wall }))].slice(-mostPast);
}

function sameTexts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
