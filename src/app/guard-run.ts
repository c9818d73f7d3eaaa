import type { HeardList } from '../graphdb/overheard.ts';
import { adapted, createGuard, type Guard, isInFlight, meansNoMore } from '../guard/decision/create-guard.ts';
import type { AbortAnswer } from '../guard/decision/decision.ts';
import type { GuardInput } from '../guard/decision/input.ts';
import type { Kept } from '../guard/decision/kept.ts';
import type { AbortOrder, GuardOutput } from '../guard/decision/output.ts';
import type { Purpose } from '../guard/decision/pace.ts';
import type { GuardState } from '../guard/decision/state.ts';
import type { Pressure } from '../guard/gates.ts';
import type { GuardSettings } from '../guard/policy.ts';
import { same } from '../kernel/same.ts';
import type { Clock, Millis } from '../kernel/time.ts';

/** What the guard of one cluster goes by. */
export interface RunSettings {
  readonly cluster: string;
  readonly guard: GuardSettings;
  readonly nodes: readonly string[];
  /** Configured instance of a node's query endpoint, by node. */
  readonly instances: Readonly<Record<string, string>>;
  /** Time between two plain lists of a node. */
  readonly interval: Millis;
}

/** How the guard of one cluster gets things done. */
export interface GuardHands {
  /** Asks a node for its list, though there is a reason to wait if that is urgent; false where it was not asked. */
  list(node: string, isUrgent: boolean): Promise<boolean>;
  /** Makes the one call; `lost` when `signal` aborts. Never rejects. */
  abort(order: AbortOrder, signal: AbortSignal): Promise<AbortAnswer>;
  /** Hears of all that a step has told, after it. What has to be on disk first is answered for in time. */
  told(outputs: readonly GuardOutput[], run: GuardRun): void;
}

/** After that nobody waits for the answer to an abort: a call that hangs holds a socket that lists need. */
const answerWithin: Millis = 10_000;

/** Runs the guard of one cluster: takes to it what happens, and does what it asks for. */
export class GuardRun {
  readonly #clock: Clock;
  readonly #hands: GuardHands;
  #settings: RunSettings;
  #guard: Guard;
  #state: GuardState;
  /** Lists that were heard, by node. */
  readonly #heard = new Map<string, number>();
  /** Calls and naps; lists are read by others, who end them. */
  readonly #busy = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #nap = new AbortController();

  constructor(settings: RunSettings, clock: Clock, hands: GuardHands) {
    this.#clock = clock;
    this.#hands = hands;
    this.#settings = settings;
    this.#guard = guardOf(settings);
    this.#state = this.#guard.initial;
  }

  get settings(): RunSettings {
    return this.#settings;
  }

  /** All that is known as of the latest step. */
  get state(): GuardState {
    return this.#state;
  }

  /** Goes by other settings from now on, and keeps what it knows. */
  become(settings: RunSettings): void {
    const isNoMore = meansNoMore(this.#settings.guard, settings.guard, same);
    this.#settings = settings;
    this.#guard = guardOf(settings);
    this.#state = adapted(this.#state, this.#guard, isNoMore);
  }

  /** Takes what an earlier run has left behind; before this nothing is decided. */
  restore(kept: Kept): void {
    this.take({ kind: 'restored', kept });
  }

  /** Takes what a node answered, whoever asked. */
  heard({ node, answer, started, received, address }: HeardList): void {
    this.#heard.set(node, (this.#heard.get(node) ?? 0) + 1);
    const times = { started, received };
    if (answer.ok) this.take({ kind: 'listed', node, body: answer.value, times, address });
    else if (answer.error.reason !== 'body') this.take({ kind: 'unlisted', node });
    else this.take({ kind: 'unlisted', node, doubt: answer.error.code === undefined ? 'malformed' : 'error' });
  }

  /** Takes a reading of the pressure on a node. */
  pressed(pressure: Pressure): void {
    this.take({ kind: 'pressed', pressure });
  }

  /** One step, and the beginning of all that it asks for. */
  take(input: GuardInput): void {
    if (this.#stopped.signal.aborted) return;
    const { state, outputs } = this.#guard.step(this.#state, input, this.#clock.now());
    this.#state = state;
    for (const output of outputs) this.#perform(output);
    this.#hands.told(outputs, this);
  }

  /** Gives up what has no intent and waits for aborts in flight, unless `signal` aborts; then it is over. */
  async stop(signal: AbortSignal): Promise<void> {
    this.take({ kind: 'stop' });
    while (isInFlight(this.#state) && !signal.aborted) await this.#clock.sleep(20, signal);
    this.#stopped.abort();
    this.#nap.abort();
    await Promise.all(this.#busy);
  }

  #perform(output: GuardOutput): void {
    if (output.kind === 'wake') this.#wakeAt(output.at);
    else if (output.kind === 'list') void this.#list(output.node, output.purpose);
    else if (output.kind === 'abort') this.#do(this.#abort(output.order));
  }

  #do(work: Promise<void>): void {
    const ended: Promise<void> = work.finally(() => this.#busy.delete(ended));
    this.#busy.add(ended);
  }

  async #list(node: string, purpose: Purpose): Promise<void> {
    const before = this.#heard.get(node);
    const wasAsked = await this.#hands.list(node, purpose === 'fresh' || purpose === 'verify');
    if (!wasAsked) this.take({ kind: 'unasked', node });
    else if (this.#heard.get(node) === before) this.take({ kind: 'unlisted', node });
  }

  async #abort(order: AbortOrder): Promise<void> {
    const over = new AbortController();
    const late = this.#clock.sleep(answerWithin, over.signal).then(() => over.abort());
    const answer = await this.#hands.abort(order, AbortSignal.any([over.signal, this.#stopped.signal]));
    over.abort();
    await late;
    this.take({ kind: 'answered', key: order.key, answer });
  }

  /** The latest wake is the one that counts. */
  #wakeAt(at: Millis): void {
    this.#nap.abort();
    const nap = new AbortController();
    this.#nap = nap;
    this.#do(this.#sleepUntil(at, nap.signal));
  }

  async #sleepUntil(at: Millis, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(at - this.#clock.now().mono, signal);
    if (!signal.aborted) this.take({ kind: 'beat' });
  }
}

function guardOf({ guard, cluster, nodes, instances, interval }: RunSettings): Guard {
  return createGuard(guard, { cluster, nodes, instances, interval });
}
