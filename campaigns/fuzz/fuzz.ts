import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { mutations } from './mutation.ts';
import type { FuzzRunner, FuzzTarget } from './target.ts';

/** Maximum CPU time of one input in ms. */
const maxProcessorTime = 1000;

const batchSize = 25;
/** Maximum number of inputs with a new outcome that are mutated further. */
const maxFound = 2000;
/** CPU time in ms from which an input is slow; slow inputs are rarely mutated. */
const slowFrom = 4;

/** Totals of a run. */
export interface FuzzTotals {
  inputs: number;
  /** Number of different outcomes. */
  outcomes: number;
  /** Longest processor time of an input, in ms. */
  slowest: number;
  readonly counts: Record<string, number>;
}

/** Input that violated an oracle. */
export interface FuzzFinding {
  readonly input: string;
  readonly reason: string;
}

/** Inputs and end of a run. */
export interface FuzzPlan {
  readonly seed: number;
  /** Kept inputs, which run first. */
  readonly kept: readonly string[];
  /** Called with the totals; returns whether to continue. */
  readonly goesOn: (totals: FuzzTotals) => boolean;
  /** Maximum CPU time of one input in ms; by default {@link maxProcessorTime}. */
  readonly limit?: number;
  /** Called before each input. */
  readonly onInput?: (input: string) => void;
}

/** Runs a target on its seeds, on the kept inputs and on mutations of them, until the plan ends or an oracle is violated. */
export async function fuzz(target: FuzzTarget, plan: FuzzPlan): Promise<FuzzTotals & { finding?: FuzzFinding }> {
  const session = new FuzzSession(await target.open(), plan);
  try {
    const finding = (await session.runAll([...target.seeds(), ...plan.kept])) ?? (await session.runMutations());
    return { ...session.totals, ...(finding && { finding }) };
  } finally {
    await session.close();
  }
}

/** Inputs of one target, one after the other. */
class FuzzSession {
  readonly totals: FuzzTotals = { inputs: 0, outcomes: 0, slowest: 0, counts: {} };
  readonly #runner: FuzzRunner;
  readonly #plan: FuzzPlan;
  readonly #outcomes = new Set<string>();
  readonly #origins: Readonly<Record<'seeds' | 'found' | 'slow', string[]>> = { seeds: [], found: [], slow: [] };
  #rejection: unknown;

  constructor(runner: FuzzRunner, plan: FuzzPlan) {
    this.#runner = runner;
    this.#plan = plan;
    process.on('unhandledRejection', this.#onRejection);
  }

  async close(): Promise<void> {
    process.off('unhandledRejection', this.#onRejection);
    await this.#runner.close?.();
  }

  /** Runs each input twice: the first run also compiles the code, so that only the second one shows which are slow. */
  async runAll(inputs: readonly string[]): Promise<FuzzFinding | undefined> {
    for (const input of [...inputs, ...inputs]) {
      const isAgain = this.totals.inputs >= inputs.length;
      const run = isAgain ? this.#runAsOrigin(input, this.#origins.seeds) : this.#run(input);
      const reason = await run.then(() => undefined, reasonOf);
      if (reason !== undefined) return { input, reason };
    }
    return undefined;
  }

  /** Runs mutations until the plan ends. fast-check shrinks an input that violates an oracle. */
  async runMutations(): Promise<FuzzFinding | undefined> {
    for (let batch = 0; this.#plan.goesOn(this.totals); batch += 1) {
      const property = fc.asyncProperty(mutations(this.#origins), (input) => this.#runMutation(input));
      const seed = this.#plan.seed + batch;
      const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: batchSize, seed });
      if (failed) return { input: counterexample?.[0] ?? '', reason: reasonOf(errorInstance) };
    }
    return undefined;
  }

  async #runMutation(input: string): Promise<void> {
    const { outcomes } = this.totals;
    const isFull = this.#origins.found.length + this.#origins.slow.length > maxFound;
    const spent = await this.#run(input);
    if (this.totals.outcomes > outcomes && !isFull) this.#keep(input, spent, this.#origins.found);
  }

  async #runAsOrigin(input: string, origins: string[]): Promise<void> {
    this.#keep(input, await this.#run(input), origins);
  }

  #keep(input: string, spent: number, origins: string[]): void {
    (spent < slowFrom ? origins : this.#origins.slow).push(input);
  }

  /** Returns the processor time in ms. */
  async #run(input: string): Promise<number> {
    this.#plan.onInput?.(input);
    const begin = process.threadCpuUsage();
    const { outcome, counts = {} } = await this.#runner.run(input);
    await setImmediate();
    const { user, system } = process.threadCpuUsage(begin);
    const spent = (user + system) / 1000;
    this.#count(outcome, counts, spent);
    if (this.#rejection !== undefined) throw new Error('a promise was rejected unhandled', { cause: this.#rejection });
    if (spent > (this.#plan.limit ?? maxProcessorTime))
      throw new Error(`took ${Math.round(spent)} ms of processor time`);
    return spent;
  }

  #count(outcome: string, counts: Readonly<Record<string, number>>, spent: number): void {
    const { totals } = this;
    totals.inputs += 1;
    totals.slowest = Math.max(totals.slowest, spent);
    for (const [name, count] of Object.entries(counts)) totals.counts[name] = (totals.counts[name] ?? 0) + count;
    this.#outcomes.add(outcome);
    totals.outcomes = this.#outcomes.size;
  }

  readonly #onRejection = (reason: unknown): void => {
    this.#rejection = reason;
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return [error.stack ?? error.message, ...(cause instanceof Error ? [cause.stack ?? cause.message] : [])].join('\n');
}
