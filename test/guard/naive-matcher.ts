import type { Candidate } from '../../src/guard/candidate.ts';
import type { Comparison } from '../../src/guard/comparison.ts';
import type { Conditions } from '../../src/guard/conditions/all.ts';
import type { MatchInput } from '../../src/guard/matcher.ts';
import type { Patterns } from '../../src/guard/pattern.ts';
import type { ActiveWindow, GroupCondition, GuardSettings, Policy } from '../../src/guard/policy.ts';
import type { Range } from '../../src/kernel/range.ts';
import type { Millis } from '../../src/kernel/time.ts';

/**
 * The matcher once more, written from the specification alone and as simply as can be: it evaluates one instant after
 * the other whether everything is true then. It shares no line of code with the other; where they differ one is wrong.
 * All instants are whole milliseconds.
 */
export interface NaiveMatch {
  readonly node: string;
  readonly id: string;
  readonly policy: string;
  readonly mode: string;
  /** The first instant of those in a row, up to now, at which all is true. */
  readonly since: Millis;
  readonly owns: boolean;
}

/** What matches in a scene. */
export function naiveMatches(settings: GuardSettings, cluster: string, setup: MatchInput): readonly NaiveMatch[] {
  const found: NaiveMatch[] = [];
  for (const candidate of setup.candidates) {
    if (!mayBeVictim(settings, candidate)) continue;
    const meaning: Policy[] = [];
    for (const policy of settings.policies) {
      if (isMeant({ settings, cluster, setup, policy, candidate }, setup.now.mono)) meaning.push(policy);
    }
    const owner = meaning.find((policy) => enforces(settings, policy)) ?? meaning[0];
    for (const policy of meaning) {
      found.push({
        node: candidate.node,
        id: candidate.observation.id,
        policy: policy.name,
        mode: enforces(settings, policy) ? 'enforce' : 'observe',
        since: naiveSince({ settings, cluster, setup, policy, candidate }),
        owns: policy === owner,
      });
    }
  }
  return found;
}

/** Whether a policy would mean a candidate `after` ms from now, if nothing but time went on. */
export function isMeantLater(question: Question, after: Millis): boolean {
  return mayBeVictim(question.settings, question.candidate) && isMeant(question, question.setup.now.mono + after);
}

/** One policy, one candidate, and all that there is around them. */
export interface Question {
  readonly settings: GuardSettings;
  readonly cluster: string;
  readonly setup: MatchInput;
  readonly policy: Policy;
  readonly candidate: Candidate;
}

/**
 * Goes back from now, minute by minute, to the one in which it became true. Within a minute no clock on a wall shows
 * another one, so there it became true only once, and halving finds when.
 */
function naiveSince(question: Question): Millis {
  const { now } = question.setup;
  const begin = question.candidate.at - question.candidate.age.most;
  for (let since = now.mono; ; ) {
    const wall = now.wall + since - now.mono;
    const first = Math.max(begin, since - (wall % 60_000));
    if (!isMeant(question, first)) return firstMeant(question, first, since);
    if (first === begin || !isMeant(question, first - 1)) return first;
    since = first - 1;
  }
}

function firstMeant(question: Question, from: Millis, to: Millis): Millis {
  let [not, is] = [from, to];
  while (is - not > 1) {
    const middle = Math.floor((not + is) / 2);
    if (isMeant(question, middle)) is = middle;
    else not = middle;
  }
  return is;
}

function isMeant({ settings, cluster, setup, policy, candidate }: Question, mono: Millis): boolean {
  if (policy.clusters !== undefined && !policy.clusters.includes(cluster)) return false;
  if (!areMet(policy.when, candidate, mono) || isExempt(policy, candidate, mono)) return false;
  if (policy.active !== undefined && !isOpen(policy.active, setup.now.wall + mono - setup.now.mono)) return false;
  if (policy.gate !== undefined) {
    const open = policy.gate.clauses.filter((clause) => {
      const since = setup.gateSince(candidate.node, clause);
      return since !== undefined && mono >= since;
    });
    const needed = policy.gate.needs === 'all' ? policy.gate.clauses.length : 1;
    if (open.length < needed) return false;
  }
  return (
    policy.group === undefined ||
    isInCompany({ settings, cluster, setup: setup, policy, candidate }, policy.group, mono)
  );
}

/** A group counts from the list that showed it, or from the one before if it was there already. */
function isInCompany({ settings, setup, policy, candidate }: Question, group: GroupCondition, mono: Millis): boolean {
  const names = group.by.map((by) => (by === 'node' ? candidate.node : candidate.observation[by]));
  const key = [policy.name, ...names].join('\0');
  if (mono < (setup.groups.get(key) ?? setup.listedAt)) return false;
  const isOverNodes = !group.by.some((by) => by === 'node');
  const isCapped = [group.count, group.oldest].some((one) => one?.operator.startsWith('<'));
  const isFloored = group.youngest?.operator.startsWith('>');
  if (isOverNodes && !setup.isComplete && (isCapped || isFloored)) return false;
  if (!isOverNodes && setup.incompleteNodes.has(candidate.node) && (isCapped || isFloored)) return false;
  const company = setup.candidates.filter(
    (other) =>
      setup.countsInGroups(other) &&
      group.by.every((by) =>
        by === 'node' ? other.node === candidate.node : other.observation[by] === candidate.observation[by],
      ) &&
      mayBeVictim(settings, other) &&
      areMet(policy.when, other, setup.listedAt) &&
      !isExempt(policy, other, setup.listedAt),
  );
  if (company.length === 0) return false;
  if (group.count !== undefined && !compare(group.count, company.length)) return false;
  let oldest: Range = { least: -Infinity, most: -Infinity };
  let youngest: Range = { least: Infinity, most: Infinity };
  for (const { at, age } of company) {
    const least = age.least + (setup.listedAt - at);
    const most = age.most + (setup.listedAt - at);
    oldest = { least: Math.max(oldest.least, least), most: Math.max(oldest.most, most) };
    youngest = { least: Math.min(youngest.least, least), most: Math.min(youngest.most, most) };
  }
  return isTrueOfAll(group.oldest, oldest) && isTrueOfAll(group.youngest, youngest);
}

function mayBeVictim({ protect }: GuardSettings, { node, observation }: Candidate): boolean {
  if (observation.kind !== 'installed') return false;
  return !protect.some(
    (one) =>
      (one.node === undefined || fits(one.node, node)) &&
      (one.graph === undefined || fits(one.graph, observation.graph)) &&
      (one.query === undefined || fits(one.query, observation.query)) &&
      !paramsCertainlyFail(one.params, observation.url),
  );
}

/** All conditions of `unless` hold or may hold: none of them is certain to fail. */
function isExempt({ unless }: Policy, candidate: Candidate, mono: Millis): boolean {
  return unless !== undefined && !certainlyFails(unless, candidate, mono);
}

function certainlyFails(unless: Conditions, candidate: Candidate, mono: Millis): boolean {
  const { node, observation, at, age, grantedTimeout: granted } = candidate;
  const least = age.least + (mono - at);
  const most = age.most + (mono - at);
  if (unless.node !== undefined && !fits(unless.node, node)) return true;
  if (unless.graph !== undefined && !fits(unless.graph, observation.graph)) return true;
  if (unless.query !== undefined && !fits(unless.query, observation.query)) return true;
  if (unless.method !== undefined && observation.method !== undefined && !fits(unless.method, observation.method))
    return true;
  if (paramsCertainlyFail(unless.params, observation.url)) return true;
  if (isFalseOfAll(unless.age, { least, most })) return true;
  if (granted === undefined) return false;
  if (isFalseOfAll(unless.grantedTimeout, granted)) return true;
  if (isFalseOfAll(unless.remaining, { least: granted.least - most, most: granted.most - least })) return true;
  return granted.most !== 0 && isFalseOfAll(unless.ageShare, shareOf({ least, most }, granted));
}

/** A timeout that may be zero has a share without an upper bound, also of a query with an age of zero. */
function shareOf(age: Range, granted: Range): Range {
  return {
    least: age.least / granted.most,
    most: granted.least === 0 ? Infinity : age.most / granted.least,
  };
}

function paramsCertainlyFail(params: Conditions['params'], url: string): boolean {
  return Object.entries(params ?? {}).some(([name, patterns]) => {
    const values = valuesOf(url, name);
    return values.length > 0 && values.every((value) => value !== undefined && !fits(patterns, value));
  });
}

function isFalseOfAll(comparison: Comparison | undefined, { least, most }: Range): boolean {
  return comparison !== undefined && !compare(comparison, least) && !compare(comparison, most);
}

function areMet(when: Conditions, candidate: Candidate, mono: Millis): boolean {
  const { node, observation, at, age, grantedTimeout: granted } = candidate;
  const least = age.least + (mono - at);
  const most = age.most + (mono - at);
  if (when.node !== undefined && !fits(when.node, node)) return false;
  if (when.graph !== undefined && !fits(when.graph, observation.graph)) return false;
  if (when.query !== undefined && !fits(when.query, observation.query)) return false;
  if (when.method !== undefined && (observation.method === undefined || !fits(when.method, observation.method)))
    return false;
  for (const [name, patterns] of Object.entries(when.params ?? {})) {
    const values = valuesOf(observation.url, name);
    if (values.length === 0 || !values.every((value) => value !== undefined && fits(patterns, value))) return false;
  }
  if (!isTrueOfAll(when.age, { least, most })) return false;
  const needsTimeout = [when.grantedTimeout, when.remaining, when.ageShare].some((one) => one !== undefined);
  if (granted === undefined) return !needsTimeout;
  if (!isTrueOfAll(when.grantedTimeout, granted)) return false;
  if (!isTrueOfAll(when.remaining, { least: granted.least - most, most: granted.most - least })) return false;
  if (when.ageShare !== undefined && granted.most === 0) return false;
  return isTrueOfAll(when.ageShare, shareOf({ least, most }, granted));
}

/** A parameter's values; undefined stands for one that says nothing, and then the whole query string says nothing. */
function valuesOf(url: string, name: string): readonly (string | undefined)[] {
  const [, query = ''] = /^[^?]*\?([^#]*)/.exec(url) ?? [];
  if (/%(?![0-9a-fA-F]{2})/.test(query)) return [undefined];
  return new URLSearchParams(query).getAll(name);
}

function isTrueOfAll(comparison: Comparison | undefined, { least, most }: Range): boolean {
  return comparison === undefined || (compare(comparison, least) && compare(comparison, most));
}

function compare({ operator, value }: Comparison, actual: number): boolean {
  if (actual === value) return operator.endsWith('=');
  return actual > value === operator.startsWith('>');
}

function fits(patterns: Patterns, text: string): boolean {
  return patterns.some((pattern) =>
    pattern.kind === 'regex'
      ? new RegExp(pattern.text, 'u').test(text)
      : fitsGlob(Array.from(pattern.text), Array.from(text)),
  );
}

function fitsGlob([wanted, ...more]: readonly string[], text: readonly string[]): boolean {
  if (wanted === undefined) return text.length === 0;
  if (wanted === '*') return fitsGlob(more, text) || (text.length > 0 && fitsGlob([wanted, ...more], text.slice(1)));
  return text.length > 0 && (wanted === '?' || wanted === text[0]) && fitsGlob(more, text.slice(1));
}

/** Formatters by time zone: creating one takes as long as formatting a hundred instants. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const numeric = 'numeric' as const;
  const date = { year: numeric, month: numeric, day: numeric };
  const time = { hour: numeric, minute: numeric, second: numeric };
  const created = new Intl.DateTimeFormat('sv-SE', { timeZone, ...date, ...time });
  formatters.set(timeZone, created);
  return created;
}

/** Writes the local time of the zone as text and reads the text. */
function isOpen({ days, from, to, zone }: ActiveWindow, wall: number): boolean {
  const [date = '', time = ''] = formatterOf(zone).format(wall).split(' ');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = new Date(`${date}T00:00:00Z`).getUTCDay();
  const at = hours * 60 + minutes;
  return days.some((day) => {
    const end = to > from ? to : to + 1440;
    const sinceThatDay = ((today - day + 7) % 7) * 1440 + at;
    return sinceThatDay >= from && sinceThatDay < end;
  });
}

function enforces(settings: GuardSettings, policy: Policy): boolean {
  return settings.mode !== 'observe' && policy.mode !== 'observe';
}
