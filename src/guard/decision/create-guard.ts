import type { Instant, Millis } from '../../kernel/time.ts';
import { shifted, stepBetween } from '../clock-step.ts';
import { protectionTest } from '../conditions.ts';
import { type InstanceMap, instanceOf, instancesOf } from '../instances.ts';
import { createMatcher } from '../matcher.ts';
import type { GuardSettings } from '../policy.ts';
import { advanced } from './advancing.ts';
import { recent } from './attempts.ts';
import { chosen } from './choosing.ts';
import type { GuardInput } from './input.ts';
import { scheduled } from './schedule.ts';
import { type Context, type GuardState, initialState, onward, type Step } from './state.ts';
import { taken } from './taking.ts';
import { forgetful, initialView } from './view.ts';
import { granted } from './wishes.ts';

/** What was tried is remembered for as long at least: other settings may look back further than these. */
const day: Millis = 86_400_000;

/** What the guard of a cluster looks at. */
export interface GuardedCluster {
  readonly cluster: string;
  /** Names of its nodes. */
  readonly nodes: readonly string[];
  /** The server instances of nodes, where the configuration says so. */
  readonly instances?: Readonly<Record<string, string>>;
  /** Time between two plain lists of a node. */
  readonly interval: Millis;
}

/** The guard of one cluster: pure, one synchronous step for each input. Settings may change between two steps. */
export interface Guard {
  readonly initial: GuardState;
  step(state: GuardState, input: GuardInput, now: Instant): Step;
}

/** Decides what is aborted in one cluster. Whatever it asks for is done by others, who say what came of it. */
export function createGuard(settings: GuardSettings, guarded: GuardedCluster): Guard {
  const { cluster, nodes, instances, interval } = guarded;
  const fixed: Omit<Context, 'now'> = {
    cluster,
    settings,
    ways: settings.policies.map(({ confirm }) => confirm),
    clauses: settings.policies.flatMap(({ gate }) => gate?.clauses ?? []),
    matcher: createMatcher(settings, cluster),
    isProtected: protectionTest(settings.protect),
    interval,
  };
  const initial = initialState(instances);
  return {
    initial: { ...initial, views: new Map(nodes.map((node) => [node, { ...initialView(), ways: fixed.ways }])) },
    step: (state, input, now) => stepped(state, input, { ...fixed, now }),
  };
}

/** Whether settings mean no query that those before spared, by another mode or policy or by protection that is gone. */
export function meansNoMore(
  before: GuardSettings,
  after: GuardSettings,
  same: (one: unknown, other: unknown) => boolean,
): boolean {
  const isProtecting = before.protect.every((one) => after.protect.some((other) => same(one, other)));
  return isProtecting && same(before.mode, after.mode) && same(before.policies, after.policies);
}

/**
 * What is known, under another configuration: nodes come and go, and what is configured of their instances counts from
 * now on. What is under way goes on, as far as its policy still wants it. Where more queries may be meant than before, or
 * on a node that is covered only now, all is confirmed anew: one that was spared has its grace from now on.
 */
export function adapted(state: GuardState, { initial }: Guard, isNoMore: boolean): GuardState {
  const instances = instancesOf(configured(state.instances, initial.instances), [...initial.views.keys()]);
  const now = state.at?.mono ?? Number.NEGATIVE_INFINITY;
  const views = [...initial.views].map(([node, fresh]) => {
    const { ways } = fresh;
    const known = state.views.get(node) ?? fresh;
    const own = instanceOf(instances, node, now);
    const keeps = isNoMore && (own === undefined || own === instanceOf(state.instances, node, now));
    return [node, keeps ? { ...known, ways } : { ...known, ways, witnesses: new Map() }] as const;
  });
  return { ...state, views: new Map(views), instances };
}

/** Where the configuration says what it said before, all that lists have told of the node since then holds as well. */
function configured(known: InstanceMap, { nodes }: InstanceMap): InstanceMap {
  const learnt = [...known.nodes].filter(([, { isConfigured }]) => !isConfigured);
  const said = [...nodes].map(([node, fresh]) => {
    const before = known.nodes.get(node);
    return [node, before?.isConfigured && before.instance === fresh.instance ? before : fresh] as const;
  });
  return { ...known, nodes: new Map([...learnt, ...said]) };
}

/** Whether calls are under way whose answers are worth waiting for, or intents whose commit is not known. */
export function isInFlight({ decisions }: GuardState): boolean {
  return [...decisions.values()].some(({ phase }) => phase === 'sent' || phase === 'committing');
}

function stepped(state: GuardState, input: GuardInput, context: Context): Step {
  const told = onward(clocked(state, context), (before) => taken(before, input, context));
  const begun = onward(
    onward(told, (before) => chosen(before, context)),
    (before) => granted(before, context),
  );
  const decided = onward(begun, (before) => advanced(before, context));
  const { state: last, outputs } = onward(decided, (before) => scheduled(before, context));
  return { state: { ...last, ...forgotten(last, context), at: context.now }, outputs };
}

/** Our own clock was set: all that was measured by it is void, so everything is seen and confirmed anew. */
function clocked(state: GuardState, { now }: Context): Step {
  const by = state.at === undefined ? 0 : stepBetween(state.at, now);
  if (by === 0) return { state, outputs: [] };
  const views = [...state.views].map(([node, view]) => [node, forgetful(view, shifted(view.offset, by))] as const);
  return {
    state: { ...state, views: new Map(views), groups: new Map() },
    outputs: [{ kind: 'void', scope: 'all', reason: 'clock_stepped' }],
  };
}

function forgotten({ attempts, shadows }: GuardState, { settings, now }: Context): Partial<GuardState> {
  const { budgets, breakers, policies } = settings;
  const cooldowns = policies.map(({ cooldown }) => cooldown);
  const { perNode, perCluster } = budgets;
  const longest = Math.max(day, perNode.within, perCluster.within, breakers.sameQuery.within, ...cooldowns);
  return { attempts: recent(attempts, longest, now.mono), shadows: recent(shadows, longest, now.mono) };
}
