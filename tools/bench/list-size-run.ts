import { createGuard, type Guard } from '../../src/guard/decision/create-guard.ts';
import type { GuardInput } from '../../src/guard/decision/input.ts';
import type { GuardState } from '../../src/guard/decision/state.ts';
import { guardSection } from '../../src/guard/guard-section.ts';

/** Cost of one long process list of one node for the guard. */
export interface ListSizeResult {
  readonly entries: number;
  /** `new`: no entry was in the list before; `again`: all entries were. */
  readonly kind: 'new' | 'again';
  /** How many entries the policies match. */
  readonly matched: 'all' | 'few';
  /** Time to parse each list, and to decide about it, in ms. */
  readonly parse: readonly number[];
  readonly decide: readonly number[];
  /** CPU time of the decisions in all threads of the process, in ms; at least `decide` on an idle machine. */
  readonly cpu: readonly number[];
  /** CPU time of the evaluation of the same list a little later, in ms. */
  readonly look: readonly number[];
  /** Growth of the heap by a list, garbage included, in bytes. */
  readonly growth: readonly number[];
}

const epoch = 1_790_000_000_000;
const every = 5000;
const policies = {
  all: [{ name: 'timeout', when: { granted_timeout: '> 1h' } }],
  few: [{ name: 'timeout', when: { granted_timeout: '> 3h' } }],
} as const;
const otherPolicies = [
  { name: 'adhoc', mode: 'enforce', when: { age: '> 10m', query: 'adhoc_*' } },
  {
    name: 'crowd',
    when: { graph: 'fraud', params: { x: '1*' } },
    group: { by: ['node', 'query'], count: '> 5000' },
  },
];

/** Lets the guard decide about lists of `entries` entries, after as many warm-up lists as measured ones. */
export function runListSizes(entries: number, lists = 20): readonly ListSizeResult[] {
  return (['all', 'few'] as const).flatMap((matched) =>
    (['new', 'again'] as const).map((kind) => measure({ entries, kind, matched }, lists)),
  );
}

type ListSizeCase = Pick<ListSizeResult, 'entries' | 'kind' | 'matched'>;

function measure(one: ListSizeCase, lists: number): ListSizeResult {
  const bed = new GuardHarness(one);
  const warmed = Array.from({ length: 2 * lists }, (_, number) => bed.list(number)).slice(lists);
  return {
    ...one,
    parse: warmed.map(({ parse }) => parse),
    decide: warmed.map(({ decide }) => decide),
    cpu: warmed.map(({ cpu }) => cpu),
    look: warmed.map(({ look }) => look),
    growth: warmed.map(({ growth }) => growth),
  };
}

class GuardHarness {
  readonly #guard: Guard;
  readonly #case: ListSizeCase;
  #state: GuardState;

  constructor(one: ListSizeCase) {
    const settings = guardSection.parse({ mode: 'enforce', policies: [...otherPolicies, ...policies[one.matched]] });
    this.#guard = createGuard(settings, {
      cluster: 'bench',
      nodes: ['m1'],
      instances: { m1: 'RESTPP_1_1' },
      interval: every,
    });
    this.#case = one;
    this.#state = this.#guard.initial;
    const kept = {
      intents: [],
      breakers: [],
      breakerResets: {},
      abortsWithoutRelief: {},
      offsets: {},
      isPaused: false,
    };
    this.#step({ kind: 'restored', kept }, 0);
    this.#step({ kind: 'graphs', names: ['fraud'] }, 0);
  }

  list(number: number) {
    const text = JSON.stringify(this.#body(number));
    const heap = process.memoryUsage().heapUsed;
    const began = performance.now();
    const body: unknown = JSON.parse(text);
    const parsed = performance.now();
    const spent = process.cpuUsage();
    const at = instantOf(number);
    this.#step(
      { kind: 'listed', node: 'm1', body, times: { started: at, received: at }, connection: 'm1:9000' },
      number,
    );
    const decided = performance.now();
    const cpu = cpuSince(spent);
    const growth = process.memoryUsage().heapUsed - heap;
    const looking = process.cpuUsage();
    this.#step({ kind: 'tick' }, number + 0.1);
    return { parse: parsed - began, decide: decided - parsed, cpu, growth, look: cpuSince(looking) };
  }

  #step(input: GuardInput, number: number): void {
    this.#state = this.#guard.step(this.#state, input, instantOf(number)).state;
  }

  #body(number: number): unknown {
    const { entries, kind } = this.#case;
    const first = kind === 'new' ? number * entries : 0;
    const results = Array.from({ length: entries }, (_, place) => {
      const serial = first + place + 1;
      // A new query has started since the previous list.
      const age = kind === 'new' ? Math.floor((place / entries) * (every - 1000)) : 60_000 + place * 3 + number * every;
      return {
        requestid: `${serial}.RESTPP_1_1.${epoch + number * every - age}.N`,
        startTime: '2026-09-21 14:13:20.000',
        expirationTime: '2026-09-21 16:13:36.000',
        url: `/query/fraud/q${serial % 50}?x=${serial}&y=abc`,
        elapsedTime: age,
      };
    });
    return { error: false, results };
  }
}

function cpuSince(spent: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(spent);
  return (user + system) / 1000;
}

function instantOf(number: number) {
  return { wall: epoch + number * every, mono: number * every };
}
