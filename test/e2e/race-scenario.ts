import type { Millis } from '../../src/kernel/time.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { abortCalls, type GuardEnvironment, startGuardEnvironment, unnamed } from './guard-environment.ts';
import {
  earliestAbortDelay,
  isPolicyTarget,
  plannedRace,
  type QueryStart,
  type RaceKind,
  raceGuard,
  raceKinds,
} from './race-plans.ts';

/** Which races are run in one scene, and what the world around them is like. */
export interface RaceSettings {
  readonly seed: number;
  /** How often each kind is run on each of the first three nodes; the fourth one restarts with what runs on it. */
  readonly kinds: Partial<Readonly<Record<RaceKind, number>>>;
  readonly simulated?: SimulatorOptions;
  readonly learnsInstances?: boolean;
  /** The guard only observes. */
  readonly isObserving?: boolean;
  /** The clocks of all servers are an hour ahead for a while in the middle. */
  readonly setsClocks?: boolean;
  /** Lists of the third node take that long now and then. */
  readonly slowLists?: Millis;
}

/** How a scene ended, by the log of the simulator alone. */
export interface RaceResult {
  readonly races: Readonly<Partial<Record<RaceKind, number>>>;
  /** Aborts that no policy meant. */
  readonly wrongAborts: readonly string[];
  /** Queries that had to be aborted, and those of them that were. */
  readonly correctAborts: number;
  readonly aborted: number;
  /** Requests to abort something, and those of them for a query that was over by then. */
  readonly requests: number;
  readonly tooLate: number;
}

interface Running extends QueryStart {
  readonly id: string;
  /** On the clock of the servers; undefined while it waits in the queue. */
  startedAt: number | undefined;
}

const stopsAt: Millis = 36_000;
const startsAt: Millis = 39_000;
const clocksAreSetAt: Millis = 33_000;
const clocksAreSetBackAt: Millis = 52_000;
const length: Millis = 130_000;
/** For so long after E nothing may have come between. */
const margin: Millis = 3000;

/** Runs the races of a scene and evaluates what ran when each abort arrived. */
export async function runRaceScenario(settings: RaceSettings): Promise<RaceResult> {
  const { seed, simulated, learnsInstances = false, isObserving = false, slowLists } = settings;
  const random = seededRandom(seed);
  const plans = plansOf(settings);
  let third = 'not known yet';
  const environment: GuardEnvironment = await startGuardEnvironment({
    guard: isObserving ? { ...raceGuard, mode: 'observe' } : raceGuard,
    seed,
    ...(learnsInstances && { nodesOf: unnamed }),
    simulated: { nodes: 4, seed, maxConcurrentQueries: 1000, ...simulated },
    wayOf: (url) => {
      const isSlow = slowLists !== undefined && url.startsWith(third) && url.endsWith('listall') && random.next() < 0.3;
      return 1 + Math.floor(random.next() * (isSlow ? slowLists : url.includes('abort') ? 150 : 25));
    },
  });
  third = environment.simulator.nodes[2]?.url ?? third;
  try {
    const running = await runPlans(environment, plans, settings);
    return evaluateAborts(environment, running, settings);
  } finally {
    await environment.stop();
  }
}

function plansOf({ seed, kinds }: RaceSettings): readonly QueryStart[] {
  const random = seededRandom(seed * 7919);
  const plans: QueryStart[] = [];
  for (const kind of raceKinds) {
    const count = kinds[kind] ?? 0;
    for (const node of kind === 'node_restarts' ? ['m4'] : ['m1', 'm2', 'm3']) {
      for (let at = 0; at < count; at += 1) plans.push(...plannedRace(kind, `${kind}_${node}_${at}`, { node, random }));
    }
  }
  return plans;
}

async function runPlans(
  environment: GuardEnvironment,
  plans: readonly QueryStart[],
  { setsClocks = false }: RaceSettings,
): Promise<readonly Running[]> {
  const { clock, simulator } = environment;
  const begin = clock.now().mono;
  const running: Running[] = [];
  const until = (at: Millis): Promise<void> => environment.run(Math.max(0, begin + at - clock.now().mono));
  const events: { readonly at: Millis; readonly act: () => unknown }[] = [
    ...plans.map((plan) => ({
      at: plan.at,
      act: () => {
        const query = simulator.control.startQuery(plan);
        if (query !== undefined) running.push({ ...plan, id: query.requestId, startedAt: query.startedAt });
      },
    })),
    { at: stopsAt, act: () => simulator.control.stopNode('m4') },
    { at: startsAt, act: () => simulator.control.startNode('m4') },
  ];
  if (setsClocks) {
    const heals: (() => Promise<void>)[] = [];
    const set = async (): Promise<unknown> => heals.push(await simulator.control.injectFault('clock_skew'));
    events.push({ at: clocksAreSetAt, act: set }, { at: clocksAreSetBackAt, act: () => heals.pop()?.() });
  }
  for (let at = 1000; at < length; at += 5000) events.push({ at, act: () => noteStarts(simulator.truth(), running) });
  for (const { at, act } of events.toSorted((one, other) => one.at - other.at)) {
    await until(at);
    await act();
  }
  await until(length);
  return running;
}

/** Those that have left the queue since. */
function noteStarts({ nodes }: ReturnType<GuardEnvironment['simulator']['truth']>, running: readonly Running[]): void {
  const waiting = running.filter(({ startedAt }) => startedAt === undefined);
  if (waiting.length === 0) return;
  const started = new Map(nodes.flatMap((node) => node.running.map((one) => [one.requestId, one.startedAt] as const)));
  for (const one of waiting) one.startedAt = started.get(one.id);
}

function evaluateAborts(
  { simulator, clock }: GuardEnvironment,
  running: readonly Running[],
  settings: RaceSettings,
): RaceResult {
  const known = new Map(running.map((one) => [`${one.node} ${one.id}`, one]));
  const aborts = simulator.aborts();
  const done = new Set(aborts.map(({ node, requestId }) => `${node} ${requestId}`));
  const end = clock.now().wall;
  const wrong = aborts.flatMap(({ node, requestId, url, at }) => {
    const one = known.get(`${node} ${requestId}`);
    const isRight = one !== undefined && isPolicyTarget(one) && at - (one.startedAt ?? at) >= earliestAbortDelay;
    return isRight ? [] : [`${node} ${requestId} ${url} after ${at - (one?.startedAt ?? at)} ms`];
  });
  const calls = abortCalls(simulator).map(({ node, path, query }) => `${node} ${path}?${query}`);
  const twice = calls.filter((call, at) => calls.indexOf(call) !== at);
  const clockSteps = calls.filter((call) => !/^m\d \/restpp\/abortquery\/fraud\?requestid=[\w.]+$/.test(call));
  const legitimate = running.filter((one) => isLegitimate(one, end, settings));
  return {
    races: countsOf(running),
    wrongAborts: [...wrong, ...twice.map((call) => `twice: ${call}`), ...clockSteps],
    correctAborts: legitimate.length,
    aborted: legitimate.filter(({ node, id }) => done.has(`${node} ${id}`)).length,
    requests: calls.length,
    tooLate: calls.length - aborts.length,
  };
}

function isLegitimate(one: Running, end: number, { slowLists }: RaceSettings): boolean {
  const { startedAt, runsFor, timeout, node, at } = one;
  if (startedAt === undefined || !isPolicyTarget(one)) return false;
  if (node === 'm4' && at < startsAt) return false;
  const ends = startedAt + Math.min(runsFor, timeout);
  const isSeen = slowLists === undefined || node !== 'm3';
  return (
    isSeen && ends >= startedAt + earliestAbortDelay + margin && startedAt + earliestAbortDelay + margin * 5 <= end
  );
}

/** A race has a query to itself, however often that is started. */
function countsOf(running: readonly Running[]): RaceResult['races'] {
  const named = new Map(running.map(({ query, kind }) => [query, kind]));
  const counts: Partial<Record<RaceKind, number>> = {};
  for (const kind of named.values()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
