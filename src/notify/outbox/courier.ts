import type { Logger } from '../../kernel/logger.ts';
import type { Change, Store } from '../../kernel/store.ts';
import type { Random } from '../../kernel/system.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import type { Answer, Notifier } from '../notifier.ts';
import type { Departure } from './departure.ts';
import type { Ending } from './endings.ts';
import type { Queue } from './queue.ts';

/** What a courier works with. */
export interface CourierPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly log: Logger;
}

/** Whom a courier tells of what happened. */
export interface CourierListener {
  /** An attempt is over. What is returned is stored together with what it came to. */
  settled(endings: readonly Ending[], now: Instant): readonly Change[];
}

const timeout: Millis = 30_000;

/** Carries what one receiver is owed, a letter at a time: a slow receiver holds up nobody but itself. */
export class Courier {
  readonly queue: Queue;
  readonly #ports: CourierPorts;
  readonly #listener: CourierListener;
  #notifier: Notifier;
  readonly #retired: Notifier[] = [];
  #nap = new AbortController();
  #isWoken = false;
  readonly #end = new AbortController();
  #isDraining = false;
  #ended: Promise<void> | undefined;
  /** The last thing that was said of the receiver in the log. */
  #said = '';
  #isKept = true;

  constructor(queue: Queue, notifier: Notifier, listener: CourierListener, ports: CourierPorts) {
    this.queue = queue;
    this.#notifier = notifier;
    this.#listener = listener;
    this.#ports = { ...ports, log: ports.log.with({ receiver: queue.receiver }) };
  }

  /** Begins to send. */
  start(): void {
    this.#ended ??= this.#run();
  }

  /** Looks again at once: something else is owed. */
  wake(): void {
    this.#isWoken = true;
    this.#nap.abort();
  }

  /** Speaks to the receiver in another way from now on. */
  use(notifier: Notifier): void {
    this.#retired.push(this.#notifier);
    this.#notifier = notifier;
    this.queue.retry(notifier.traits);
    this.wake();
  }

  /** Sends what is due until the signal aborts, and ends. What is under way then counts as one that may have arrived. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    if (signal.aborted) this.#end.abort();
    signal.addEventListener('abort', () => this.#end.abort(), { once: true });
    this.wake();
    await this.#ended;
    await Promise.all([this.#notifier, ...this.#retired].map((notifier) => notifier.close()));
  }

  async #run(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#closeRetired();
      this.#isWoken = false;
      const now = this.#ports.clock.now();
      const swept = this.queue.sweep(now);
      await this.#keep(swept);
      const next = this.queue.next(now);
      if (next.kind === 'send') await this.#carry(next);
      else if (this.#isDraining && !next.soon) return;
      else await this.#sleep(next.until);
    }
  }

  /** Whatever the store says, the letter goes: any doubt means send. */
  async #carry(departure: Departure): Promise<void> {
    const { clock, random } = this.#ports;
    const marked = this.queue.depart(departure, clock.now());
    await this.#keep(marked);
    const answer = await this.#send(departure);
    if (answer === undefined) return;
    const now = clock.now();
    const { changes, endings } = this.queue.settle(departure, answer, now, () => random.next());
    this.#say(answer, endings);
    await this.#keep([...changes, ...this.#listener.settled(endings, now)]);
  }

  /** What cannot be stored is known in memory: it is said, and life goes on. */
  async #keep(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const { store, log } = this.#ports;
    const kept = await store.commit(changes);
    if (!kept.ok && this.#isKept) log.warn('what a receiver is owed cannot be stored', { reason: kept.error });
    this.#isKept = kept.ok;
  }

  /** Undefined where the end came before the answer. */
  async #send({ choice: { letter, detail } }: Departure): Promise<Answer | undefined> {
    const { clock } = this.#ports;
    const over = new AbortController();
    const answered = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#end.signal]);
    const attempt = this.#attempt(() => this.#notifier.send(letter, detail, clock.now().wall, signal));
    const answer = attempt.finally(() => answered.abort());
    const late = clock.sleep(timeout, AbortSignal.any([answered.signal, this.#end.signal]));
    const first = await Promise.race([answer, late.then(() => undefined)]);
    if (first !== undefined) return this.#end.signal.aborted && first.kind !== 'accepted' ? undefined : first;
    // The answer wakes the sleeper too: what still goes on behind it, such as telling a second peer, is not too late.
    if (answered.signal.aborted) return answer;
    over.abort();
    return this.#end.signal.aborted ? undefined : noAnswer;
  }

  async #attempt(send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      this.#ports.log.error('a notifier threw, which is a bug', { error });
      return { ...noAnswer, timedOut: false, message: 'the notification could not be sent' };
    }
  }

  async #closeRetired(): Promise<void> {
    for (const notifier of this.#retired.splice(0)) await notifier.close();
  }

  async #sleep(until: number | undefined): Promise<void> {
    if (this.#isWoken) return;
    this.#nap = new AbortController();
    const length = until === undefined ? longest : Math.min(longest, until - this.#ports.clock.now().mono);
    await this.#ports.clock.sleep(Math.max(0, length), AbortSignal.any([this.#nap.signal, this.#end.signal]));
  }

  #say(answer: Answer, endings: readonly Ending[]): void {
    const { log } = this.#ports;
    const message = 'message' in answer ? answer.message : '';
    for (const { result, key, episode, action } of endings) {
      if (result === 'parked') log.error('a notification was given up', { key, episode, action, reason: message });
    }
    const said = answer.kind === 'accepted' ? (answer.but ?? '') : answer.kind;
    if (said === this.#said) return;
    this.#said = said;
    if (answer.kind === 'accepted' && said !== '') log.warn('a receiver takes notifications in part', { reason: said });
    else if (answer.kind === 'accepted') log.info('the receiver takes notifications again');
    else log.warn('a receiver does not take notifications', { result: answer.kind, reason: message });
  }
}

/** A receiver without anything to do is looked at as often, for what is over and done with. */
const longest: Millis = 60_000;

const noAnswer: Extract<Answer, { kind: 'unavailable' }> = {
  kind: 'unavailable',
  answered: false,
  timedOut: true,
  message: `no answer within ${timeout / 1000} s`,
};
