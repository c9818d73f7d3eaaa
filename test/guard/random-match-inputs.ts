import type { Candidate } from '../../src/guard/candidate.ts';
import type { Comparison } from '../../src/guard/comparison.ts';
import type { Conditions, Protection } from '../../src/guard/conditions/all.ts';
import { groupKeyOf } from '../../src/guard/groups.ts';
import type { MatchInput } from '../../src/guard/matcher.ts';
import type { Patterns } from '../../src/guard/pattern.ts';
import type { ActiveWindow, Gate, GateSource, GroupCondition, GuardSettings, Policy } from '../../src/guard/policy.ts';
import type { Range } from '../../src/kernel/range.ts';
import type { Random } from '../../src/kernel/system.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { candidate, policyOf } from './match-inputs.ts';
import { at } from './observations.ts';

const nodes = ['n1', 'n2', 'n3'];
const urls = [
  '/query/fraud/ring_scan?depth=4',
  '/query/fraud/ring_scan?depth=40&mode=full',
  '/query/fraud/adhoc_1?depth=4&depth=5',
  '/query/fraud/adhoc_22?depth=%34&broken=%',
  '/query/fraud/nightly_scan?depth=%34',
  '/query/sandbox/adhoc_1',
  '/query/sandbox/nightly_scan?mode=f+ll',
  '/restpp/query/ledger/ring_scan?mode=full',
  '/query/ledger/adhoc_1/more',
  '/sleepgpe?depth=4',
  '/gsqlserver/interpreted_query?depth=4',
];
const names = [
  '*',
  'adhoc_*',
  '*_scan',
  'ring_scan',
  'adhoc_?',
  'nightly_*',
  '*i*',
  'fraud',
  'sandbox',
  '?raud',
  'n1',
  'n?',
];
const expressions = ['^adhoc_[0-9]+$', '^(ring|nightly)_scan$', '^(fraud|ledger)$', '^n[13]$'];
const values = ['4', '4*', '*', 'f?ll', '?', '??'];
const bounds = [0, 30_000, 60_000, 120_000, 3_600_000];
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'];
const sources: readonly GateSource[] = ['node_memory', 'node_cpu', 'queue_depth', 'queue_oldest'];
const operators = ['>', '>=', '<', '<='] as const;

/** Random guard settings and running queries. The same seed gives the same input. */
export interface RandomMatchInput {
  readonly settings: GuardSettings;
  readonly setup: MatchInput;
}

/** The same seed makes the same choices. */
class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number from 0 to `most`. */
  upTo(most: number): number {
    return Math.floor(this.#random.next() * (most + 1));
  }

  of<One>(all: readonly One[]): One {
    const one = all[this.upTo(all.length - 1)];
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  }

  /** `make` in one of `times` cases, else nothing. */
  maybe<One>(times: number, make: () => One): One | undefined {
    return this.upTo(times - 1) === 0 ? make() : undefined;
  }

  list<One>(most: number, make: (index: number) => One, least = 0): readonly One[] {
    return Array.from({ length: least + this.upTo(most - least) }, (_, index) => make(index));
  }
}

/** One scene of a cluster `prod`, with settings that are about it. */
export function randomMatchInput(seed: number): RandomMatchInput {
  const chance = new Chance(seed);
  const after = chance.of([0, 0, 1, 1000, 3000]);
  const candidates = chance.list(8, () => randomCandidate(chance, after));
  const settings = randomSettings(chance);
  const listedAt = Math.max(at(-5000).mono, ...candidates.map((one) => one.at));
  const gates = new Map(
    nodes.flatMap((node) => sources.map((source) => [`${node} ${source}`, chance.maybe(2, () => chance.upTo(90_000))])),
  );
  const wall = Date.parse('2026-03-28T00:00:00Z') + chance.upTo(2000) * 60_000 + chance.of([0, 0, 1, 59_999, 31_234]);
  const uncovered = new Set(nodes.filter(() => chance.upTo(5) === 0));
  const incompleteNodes = new Set(nodes.filter(() => chance.upTo(7) === 0));
  const setup: MatchInput = {
    candidates,
    listedAt,
    now: { wall, mono: at(after).mono },
    groups: randomGroups(chance, settings, candidates),
    isComplete: uncovered.size === 0 && incompleteNodes.size === 0,
    incompleteNodes,
    countsInGroups: ({ node }) => !uncovered.has(node),
    gateSince: (node, { source }) => {
      const open = gates.get(`${node} ${source}`);
      return open === undefined ? undefined : at(after).mono - open;
    },
  };
  return { settings, setup };
}

const uncertain: readonly Range[] = [
  { least: 0, most: 64_000 },
  { least: 60_000, most: 240_000 },
  { least: 120_000, most: 7_200_000 },
];

function randomCandidate(chance: Chance, after: Millis): Candidate {
  const seen = after - chance.of([0, 1, 200, 2500, 5000]);
  const least = Math.max(0, chance.of(bounds) + chance.of([-1, 0, 1, 7, 5000, -5000]) - (after - seen));
  return candidate({
    node: chance.of(nodes),
    url: chance.of(urls),
    age: { least, most: least + chance.of([0, 0, 1, 300]) },
    timeout: chance.of([-1, 0, 64_000, 120_000, 240_000, 7_200_000, ...uncertain]),
    seen,
    ...(chance.upTo(3) === 0 && { method: chance.of(['GET', 'POST']) }),
  });
}

function randomSettings(chance: Chance): GuardSettings {
  return {
    mode: chance.of(['enforce', 'enforce', 'observe']),
    protect: chance.list(1, () => randomProtection(chance)),
    budgets: { perNode: { max: 3, within: 600_000 }, perCluster: { max: 6, within: 600_000 } },
    breakers: { sameQuery: { aborts: 3, within: 900_000 }, noRelief: { aborts: 2 } },
    recording: { enabled: false, maxSize: 0, maxAge: 0 },
    policies: chance.list(4, (index) => randomPolicy(chance, index), 1),
  };
}

function randomProtection(chance: Chance): Protection {
  return given({
    node: chance.maybe(4, () => patterns(chance)),
    graph: chance.maybe(2, () => patterns(chance)),
    query: patterns(chance),
    params: chance.maybe(4, () => randomParams(chance)),
  });
}

function randomParams(chance: Chance) {
  return { [chance.of(['depth', 'mode'])]: [{ kind: 'glob', text: chance.of(values) }] as const };
}

function randomPolicy(chance: Chance, index: number): Policy {
  const more = given({
    unless: chance.maybe(3, () => randomConditions(chance)),
    clusters: chance.maybe(4, () => chance.of([['prod'], ['test', 'prod'], ['test']])),
    gate: chance.maybe(3, () => randomGate(chance)),
    group: chance.maybe(3, () => randomGroup(chance)),
    active: chance.maybe(4, () => randomWindow(chance)),
  });
  return policyOf(randomConditions(chance), { name: `p${index}`, mode: chance.of(['enforce', 'observe']), ...more });
}

function randomConditions(chance: Chance): Conditions {
  return given({
    node: chance.maybe(6, () => patterns(chance)),
    graph: chance.maybe(3, () => patterns(chance)),
    query: chance.maybe(3, () => patterns(chance)),
    method: chance.maybe(9, () => [{ kind: 'glob', text: chance.of(['GET', '*', 'P*']) }] as const),
    params: chance.maybe(6, () => randomParams(chance)),
    age: chance.maybe(2, () => comparison(chance, bounds)),
    grantedTimeout: chance.maybe(5, () => comparison(chance, [0, 64_000, 120_000])),
    remaining: chance.maybe(4, () => comparison(chance, bounds)),
    ageShare: chance.maybe(5, () => comparison(chance, [0.25, 0.5, 0.875, 1])),
  });
}

function randomGate(chance: Chance): Gate {
  const clauses = chance.list(
    3,
    () => ({ source: chance.of(sources), bound: comparison(chance, [1]), for: 60_000 }),
    1,
  );
  return { needs: chance.of(['any', 'all']), clauses };
}

function randomGroup(chance: Chance): GroupCondition {
  const by = chance.of([['node'], ['graph'], ['query'], ['graph', 'query'], ['node', 'graph', 'query']] as const);
  const more = given({
    count: chance.maybe(2, () => comparison(chance, [1, 2, 3])),
    oldest: chance.maybe(4, () => comparison(chance, bounds)),
    youngest: chance.maybe(4, () => comparison(chance, bounds)),
  });
  return { by, ...more };
}

function randomWindow(chance: Chance): ActiveWindow {
  const days = [0, 1, 2, 3, 4, 5, 6].filter(() => chance.upTo(3) > 0);
  return { days, from: chance.upTo(1439), to: chance.upTo(1440), zone: chance.of(zones) };
}

/** What earlier scenes may have left, of groups that there are and of some that there are not. */
function randomGroups(chance: Chance, { policies }: GuardSettings, candidates: readonly Candidate[]) {
  const keys = policies.flatMap((policy) => candidates.map((one) => groupKeyOf(policy, one)));
  const kept = keys.filter(() => chance.upTo(2) === 0);
  return new Map(kept.map((key) => [key, at(-5000 - chance.upTo(60_000)).mono]));
}

function patterns(chance: Chance): Patterns {
  return chance.list(
    2,
    () =>
      chance.upTo(3) === 0 ? { kind: 'regex', text: chance.of(expressions) } : { kind: 'glob', text: chance.of(names) },
    1,
  );
}

function comparison(chance: Chance, limits: readonly number[]): Comparison {
  return { operator: chance.of(operators), value: chance.of(limits) };
}

type Given<Shape> = { readonly [Key in keyof Shape]?: Exclude<Shape[Key], undefined> };

/** Without what is undefined: a clause is there or it is not. */
function given<Shape extends object>(shape: Shape): Given<Shape> {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Given<Shape>;
}
