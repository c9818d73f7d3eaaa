import type { HeardList } from '../graphdb/overheard.ts';
import { stepBetween } from '../guard/clock-step.ts';
import { type GateRuns, gateSince, type Pressure, pressed } from '../guard/gates.ts';
import type { HeldGroups } from '../guard/groups.ts';
import { initialInstances, instanceOf, instancesFor, told } from '../guard/instances.ts';
import { instancesIn, type ListTimes, readListing, staleness } from '../guard/listing.ts';
import { createMatcher, type Match, type Matched, type Matcher } from '../guard/matcher.ts';
import type { GuardSettings, Policy } from '../guard/policy.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { type Doubt, GuardCounts } from './guard-counts.ts';
import { afterStep, blinded, confirmation, type NodeSight, seen, unconfirmed, unseen } from './node-sight.ts';

/** What the guard is to look at in one cluster. */
export interface SightSettings {
  readonly cluster: string;
  readonly guard: GuardSettings;
  /** Configured instance of a node's query endpoint, by node. */
  readonly instances: Readonly<Record<string, string>>;
  /** After which a list says nothing any more. */
  readonly staleAfter: Millis;
}

/** What a policy has to say of one query, on the monotonic clock. */
export interface Opinion {
  readonly match: Match;
  /** M: since when everything holds on a confirmed entry; until then, when at the earliest it will. */
  readonly matchesAt: Millis;
  /** M is no forecast. */
  readonly isMatched: boolean;
}

/** The guard's eyes on one cluster: what the lists of its nodes tell, and which policy means which query. */
export class ClusterSight {
  #settings: SightSettings;
  #policies: readonly Policy[];
  #matcher: Matcher;
  #instances;
  #sights = new Map<string, NodeSight>();
  readonly #counts = new Map<string, GuardCounts>();
  #gates: GateRuns = new Map();
  #groups: HeldGroups = new Map();
  #last: Instant | undefined;

  constructor(settings: SightSettings) {
    this.#settings = settings;
    this.#policies = policiesOf(settings);
    this.#matcher = createMatcher(settings.guard, settings.cluster);
    this.#instances = initialInstances(settings.instances);
  }

  /** The policies that concern this cluster, in their order. */
  get policies(): readonly Policy[] {
    return this.#policies;
  }

  /** Goes by other settings from now on. Clock offsets are kept: they are facts about nodes. */
  become(settings: SightSettings): void {
    this.#settings = settings;
    this.#policies = policiesOf(settings);
    this.#matcher = createMatcher(settings.guard, settings.cluster);
    this.#instances = initialInstances(settings.instances);
    this.#sights = new Map([...this.#sights].map(([node, sight]) => [node, unconfirmed(sight)]));
    this.#gates = new Map();
    this.#groups = new Map();
  }

  /** Takes what a node answered. Where it gave no list at all nothing is counted: that is the collector's trouble. */
  heard({ node, answer, started, received }: HeardList): void {
    if (this.#policies.length === 0 || (!answer.ok && answer.error.reason !== 'body')) return;
    this.#noteTime(received);
    const times = { started, received };
    const early = this.#doubtAbout(times);
    if (early !== undefined) this.#void(node, early);
    else if (answer.ok) this.#read(node, answer.value, times);
    else this.#void(node, { scope: 'list', reason: answer.error.code === undefined ? 'malformed' : 'error' });
    this.#step(received);
  }

  /** Takes a reading of the pressure on a node. */
  pressed(pressure: Pressure): void {
    this.#gates = pressed(
      this.#gates,
      pressure,
      this.#policies.flatMap(({ gate }) => gate?.clauses ?? []),
    );
  }

  /** Sees what time alone decides. */
  beat(now: Instant): void {
    if (this.#policies.length === 0) return;
    this.#noteTime(now);
    this.#step(now);
  }

  /** Forgets nodes that are gone. */
  keep(nodes: readonly string[]): void {
    for (const node of this.#sights.keys()) if (!nodes.includes(node)) this.#sights.delete(node);
    for (const node of this.#counts.keys()) if (!nodes.includes(node)) this.#counts.delete(node);
  }

  /** What is counted about a node. */
  counts(node: string): GuardCounts {
    const known = this.#counts.get(node) ?? new GuardCounts();
    this.#counts.set(node, known);
    return known;
  }

  /** Whether a node answers for itself, by an instance that is surely its own, and lately did. */
  isCovered(node: string, now: Instant): boolean {
    return this.#isFresh(this.#sights.get(node), now) && instanceOf(this.#instances, node, now.mono) !== undefined;
  }

  /** Who has a say in which query now, by node and id: the owner, or else who will match it first. */
  opinions(now: Instant): ReadonlyMap<string, Opinion> {
    const { matches, upcoming } = this.#match(now);
    const owned = matches.filter(({ owns }) => owns);
    const next = upcoming.toSorted((one, other) => other.since - one.since);
    return new Map([...next, ...owned].map((match) => this.#opinion(match, now)).filter((one) => one !== undefined));
  }

  #read(node: string, body: unknown, times: ListTimes): void {
    const { mono } = times.received;
    const listing = readListing(body, instancesFor(this.#instances, node, mono));
    this.#instances = told(this.#instances, node, instancesIn(body), mono);
    if (!listing.ok) {
      this.#void(node, { scope: 'list', reason: listing.error });
      return;
    }
    const ways = this.#policies.map(({ confirm }) => confirm);
    const { sight, doubts } = seen(this.#sightOf(node), { node, listing: listing.value, times, ways });
    this.#sights.set(node, sight);
    for (const reason of doubts) this.counts(node).doubt({ scope: 'entry', reason });
    this.counts(node).keep((id) => sight.witnesses.has(id));
  }

  /** A list that was under way while our clock was set belongs to neither time. */
  #doubtAbout({ started, received }: ListTimes): Doubt | undefined {
    const isTorn = stepBetween(started, received) !== 0 || stepBetween(received, this.#last ?? received) !== 0;
    if (isTorn) return { scope: 'everything', reason: 'clock_step' };
    const stale = staleness({ started, received }, received);
    return stale === undefined ? undefined : { scope: 'list', reason: stale };
  }

  #void(node: string, doubt: Doubt): void {
    this.counts(node).doubt(doubt);
    this.#sights.set(node, blinded(this.#sightOf(node)));
  }

  #noteTime(now: Instant): void {
    const last = this.#last ?? now;
    if (now.mono < last.mono) return;
    this.#last = now;
    const step = stepBetween(last, now);
    if (step === 0) return;
    for (const [node, sight] of this.#sights) {
      this.counts(node).doubt({ scope: 'everything', reason: 'clock_step' });
      this.#sights.set(node, afterStep(sight, step));
    }
  }

  #step(now: Instant): void {
    const { matches, groups } = this.#match(now);
    this.#groups = groups;
    for (const { owns, policy, candidate } of matches) {
      const confirmed = owns && this.#confirmation(policy, candidate)?.isConfirmed === true;
      if (confirmed) this.counts(candidate.node).match(policy.name, candidate.sighting.id);
    }
  }

  #match(now: Instant): Matched {
    const fresh = [...this.#sights.values()].filter((sight) => this.#isFresh(sight, now));
    return this.#matcher({
      candidates: fresh.flatMap(({ candidates }) => candidates),
      readAt: Math.max(...fresh.map(({ readAt = 0 }) => readAt), 0),
      now,
      groups: this.#groups,
      gateSince: (node, clause) => gateSince(this.#gates, { node, clause, now: now.mono }),
    });
  }

  #opinion(match: Match, now: Instant): readonly [string, Opinion] | undefined {
    const { policy, candidate, holds, since } = match;
    const confirmed = this.#confirmation(policy, candidate);
    if (confirmed === undefined) return undefined;
    const { isConfirmed, at } = confirmed;
    const matchesAt = Math.max(since, isConfirmed ? at : Math.max(at, now.mono));
    return [opinionKey(candidate.node, candidate.sighting.id), { match, matchesAt, isMatched: holds && isConfirmed }];
  }

  #confirmation(policy: Policy, { node, sighting }: Match['candidate']) {
    const index = this.#policies.indexOf(policy);
    return confirmation(this.#sightOf(node), sighting.id, { index, way: policy.confirm });
  }

  #sightOf(node: string): NodeSight {
    return this.#sights.get(node) ?? unseen;
  }

  #isFresh(sight: NodeSight | undefined, now: Instant): boolean {
    return sight?.readAt !== undefined && now.mono - sight.readAt < this.#settings.staleAfter;
  }
}

/** The key of {@link ClusterSight.opinions}. */
export function opinionKey(node: string, id: string): string {
  return JSON.stringify([node, id]);
}

function policiesOf({ cluster, guard: { policies } }: SightSettings): readonly Policy[] {
  return policies.filter(({ clusters }) => clusters === undefined || clusters.includes(cluster));
}
