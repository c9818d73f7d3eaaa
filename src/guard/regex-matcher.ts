import type { Regex } from './regex-parser.ts';

/** Maximum number of states. The worst-case cost of a match is this number times the length of the text. */
const maxStates = 2000;

/** Cache limits: further state sets are not cached, and after so many computed transitions the cache is emptied. */
const maxStateSets = 200;
const maxCachedSteps = 5000;

interface State {
  readonly index: number;
  /** Test of the next character; absent for a transition without a character. */
  readonly accepts?: (character: string) => boolean;
  readonly following: State[];
}

/** Returns whether an expression is small enough after its repetitions are expanded. */
export function isWithinSizeLimit(tree: Regex): boolean {
  return sizeOf(tree) <= maxStates;
}

function sizeOf(tree: Regex): number {
  if (tree.kind === 'character') return 1;
  if (tree.kind !== 'repeat') return tree.parts.reduce((sum, part) => sum + sizeOf(part), 1);
  const copies = tree.max === Number.POSITIVE_INFINITY ? tree.min + 1 : tree.max;
  return (sizeOf(tree.part) + 1) * Math.max(1, copies);
}

/** Set of simultaneous states of an expression, with the cached transitions to other sets by character. */
interface StateSet {
  readonly states: ReadonlySet<State>;
  readonly isFinal: boolean;
  /**
   * Whether the set is in the cache. The cache is bounded, because a text can lead to as many sets as it has
   * characters.
   */
  readonly isKept: boolean;
  readonly following: Map<string, StateSet>;
}

/**
 * Compiles an expression to a test of whole texts. The test simulates all states at once, so that its cost is at most the
 * length of the text times the size of the expression. Transitions are cached.
 */
export function compileRegex(tree: Regex): (text: string) => boolean {
  const final: State = { index: 0, following: [] };
  const first = build(tree, final, [final]);
  let cache = createTransitionCache(first, final);
  return (text) => {
    if (cache.isFull()) cache = createTransitionCache(first, final);
    let current = cache.start;
    for (const character of text) {
      current = current.following.get(character) ?? cache.advance(current, character);
      if (current.states.size === 0) return false;
    }
    return current.isFinal;
  };
}

interface TransitionCache {
  readonly start: StateSet;
  advance(from: StateSet, character: string): StateSet;
  isFull(): boolean;
}

function createTransitionCache(first: State, final: State): TransitionCache {
  const stateSets = new Map<string, StateSet>();
  let steps = 0;
  const enter = (from: readonly State[]): StateSet => {
    const reached = closure(from);
    const key = Array.from(reached, ({ index }) => index)
      .toSorted((one, other) => one - other)
      .join();
    const known = stateSets.get(key);
    if (known !== undefined) return known;
    const isKept = stateSets.size < maxStateSets;
    const made = { states: reached, isFinal: reached.has(final), isKept, following: new Map() };
    if (isKept) stateSets.set(key, made);
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

/** Returns the states that are reachable without another character. */
function closure(from: readonly State[]): ReadonlySet<State> {
  const reached = new Set(from);
  // The iteration of a Set includes elements that are added during the iteration.
  for (const { accepts, following } of reached) {
    if (accepts === undefined) for (const next of following) reached.add(next);
  }
  return reached;
}

/** Adds the states of `tree` that lead to `end`, and returns the first of them. */
function build(tree: Regex, end: State, states: State[]): State {
  if (tree.kind === 'character') return add({ accepts: tree.accepts, following: [end] }, states);
  if (tree.kind === 'repeat') return buildRepeat(tree, end, states);
  if (tree.kind === 'choice') return add({ following: tree.parts.map((part) => build(part, end, states)) }, states);
  return tree.parts.reduceRight((following, part) => build(part, following, states), end);
}

function buildRepeat({ part, min, max }: Extract<Regex, { kind: 'repeat' }>, end: State, states: State[]): State {
  let at = max === Number.POSITIVE_INFINITY ? buildLoop(part, end, states) : end;
  const optional = max === Number.POSITIVE_INFINITY ? 0 : max - min;
  for (let copy = 0; copy < optional; copy += 1) at = add({ following: [end, build(part, at, states)] }, states);
  for (let copy = 0; copy < min; copy += 1) at = build(part, at, states);
  return at;
}

function buildLoop(part: Regex, end: State, states: State[]): State {
  const following = [end];
  const loop = add({ following }, states);
  following.push(build(part, loop, states));
  return loop;
}

function add(state: Omit<State, 'index'>, states: State[]): State {
  const added = { ...state, index: states.length };
  states.push(added);
  return added;
}
