import type { Regex } from './regex-parser.ts';

/** How many states an expression may come to: this times the length of a text is what matching costs at most. */
const maxStates = 2000;

/** How much is remembered before all of it is forgotten. */
const maxStateSets = 200;
const maxCachedSteps = 5000;

interface State {
  readonly place: number;
  /** Absent: it goes on without a character. */
  readonly accepts?: (character: string) => boolean;
  readonly following: State[];
}

/** Whether an expression stays small once its repetitions are written out. */
export function isWithinSizeLimit(tree: Regex): boolean {
  return sizeOf(tree) <= maxStates;
}

function sizeOf(tree: Regex): number {
  if (tree.kind === 'character') return 1;
  if (tree.kind !== 'repeat') return tree.parts.reduce((sum, part) => sum + sizeOf(part), 1);
  const copies = tree.most === Number.POSITIVE_INFINITY ? tree.least + 1 : tree.most;
  return (sizeOf(tree.part) + 1) * Math.max(1, copies);
}

/** All states that an expression is in at once, with where each character leads from there as far as that was needed. */
interface StateSet {
  readonly states: ReadonlySet<State>;
  readonly isFinal: boolean;
  /** Kept in the cache. A text may lead to as many sets as it has characters; those are not kept. */
  readonly isKept: boolean;
  readonly following: Map<string, StateSet>;
}

/**
 * A test of whole texts that follows all ways through the expression at once, so that no text takes longer than its
 * length times the size of the expression; what it has worked out it remembers.
 */
export function compileRegex(tree: Regex): (text: string) => boolean {
  const final: State = { place: 0, following: [] };
  const first = build(tree, final, [final]);
  let memory = createTransitionCache(first, final);
  return (text) => {
    if (memory.isFull()) memory = createTransitionCache(first, final);
    let situation = memory.start;
    for (const character of text) {
      situation = situation.following.get(character) ?? memory.advance(situation, character);
      if (situation.states.size === 0) return false;
    }
    return situation.isFinal;
  };
}

interface TransitionCache {
  readonly start: StateSet;
  advance(from: StateSet, character: string): StateSet;
  isFull(): boolean;
}

function createTransitionCache(first: State, final: State): TransitionCache {
  const situations = new Map<string, StateSet>();
  let steps = 0;
  const enter = (from: readonly State[]): StateSet => {
    const reached = closure(from);
    const key = Array.from(reached, ({ place }) => place)
      .toSorted((one, other) => one - other)
      .join();
    const known = situations.get(key);
    if (known !== undefined) return known;
    const isKept = situations.size < maxStateSets;
    const made = { states: reached, isFinal: reached.has(final), isKept, following: new Map() };
    if (isKept) situations.set(key, made);
    return made;
  };
  return {
    start: enter([first]),
    advance: (from, character) => {
      const next = enter(
        [...from.states].flatMap(({ accepts, following }) => (accepts?.(character) === true ? following : [])),
      );
      if (next.isKept && steps < maxCachedSteps) from.following.set(character, next);
      steps += 1;
      return next;
    },
    isFull: () => steps >= maxCachedSteps,
  };
}

/** All states that are reached without another character. */
function closure(from: readonly State[]): ReadonlySet<State> {
  const reached = new Set(from);
  // A set goes on through what is added while it is walked through.
  for (const { accepts, following } of reached) {
    if (accepts === undefined) for (const next of following) reached.add(next);
  }
  return reached;
}

/** Adds the states of `tree` that lead to `end`; the result is the one that they begin with. */
function build(tree: Regex, end: State, states: State[]): State {
  if (tree.kind === 'character') return add({ accepts: tree.accepts, following: [end] }, states);
  if (tree.kind === 'repeat') return buildRepeat(tree, end, states);
  if (tree.kind === 'choice') return add({ following: tree.parts.map((part) => build(part, end, states)) }, states);
  return tree.parts.reduceRight((following, part) => build(part, following, states), end);
}

function buildRepeat({ part, least, most }: Extract<Regex, { kind: 'repeat' }>, end: State, states: State[]): State {
  let at = most === Number.POSITIVE_INFINITY ? buildLoop(part, end, states) : end;
  const optional = most === Number.POSITIVE_INFINITY ? 0 : most - least;
  for (let copy = 0; copy < optional; copy += 1) at = add({ following: [end, build(part, at, states)] }, states);
  for (let copy = 0; copy < least; copy += 1) at = build(part, at, states);
  return at;
}

function buildLoop(part: Regex, end: State, states: State[]): State {
  const following = [end];
  const loop = add({ following }, states);
  following.push(build(part, loop, states));
  return loop;
}

function add(state: Omit<State, 'place'>, states: State[]): State {
  const added = { ...state, place: states.length };
  states.push(added);
  return added;
}
