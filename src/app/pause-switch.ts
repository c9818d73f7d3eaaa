import type { Logger } from '../kernel/logger.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { same } from '../kernel/same.ts';
import type { Files, Presence } from '../kernel/system.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { PauseReason, PauseView } from './guard-control.ts';
import { type Pause, pauseView, recalled, resumed, unknownPause, withReason } from './pause-reasons.ts';

/** Where a pause outlives the program. Errors are sentences. */
export interface PauseMemory {
  read(): Promise<Result<readonly PauseReason[], string>>;
  /** These, and no others, hold from now on. */
  write(reasons: readonly PauseReason[]): Promise<Result<void, string>>;
}

/** What the stop switch works with. */
export interface PauseSwitchParts {
  readonly files: Pick<Files, 'presence'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly memory: PauseMemory;
  /** As long as something is there, or that cannot be told, the guard holds still. */
  readonly file: string;
  /** Told at once, whenever it changes. */
  readonly changed: (view: PauseView) => void;
}

/** The switch has to hold within a second: the time between two looks, and what one may take. */
const between: Millis = 500;
const patience: Millis = 400;

/** The stop switch of the guard. It begins paused, until it is known that it is not. */
export class PauseSwitch {
  readonly #parts: PauseSwitchParts;
  #pause: Pause = unknownPause;
  #serial = 0;
  #isLooking = false;
  /** The latest pause could not be stored: that is tried again. */
  #isUnstored = false;
  #line: Promise<unknown> = Promise.resolve();

  constructor(parts: PauseSwitchParts) {
    this.#parts = parts;
  }

  /** Whether it is paused, and why. */
  view(): PauseView {
    return pauseView(this.#pause);
  }

  /** Reads what was stored, and looks for the file until the end. What cannot be read is lost: an operator has to resume. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.recall(), this.#watch(signal)]);
    await this.#line;
  }

  /** Reads what was stored, which holds beside what is known by then. */
  recall(): Promise<void> {
    return this.#inLine(() => this.#recall());
  }

  /** Holds at once; the error is that it could not be stored. */
  pause(by: string, reason: PauseReason): Promise<Result<void, string>> {
    this.#serial += 1;
    this.#become(withReason(this.#pause, reason, this.#serial));
    this.#parts.log.warn('the guard was paused', { by, reason });
    return this.#inLine(() => this.#store());
  }

  /** Ends all but the file, once that is stored; the error is that, or what holds it all the same. */
  resume(by: string): Promise<Result<void, string>> {
    const before = this.#pause;
    return this.#inLine(() => this.#resume(before, by));
  }

  async #resume(before: Pause, by: string): Promise<Result<void, string>> {
    if (!before.isKnown) return err('what was stored is not known yet: try again');
    const stored = await this.#parts.memory.write([...resumed(this.#pause, before).held.keys()]);
    if (!stored.ok) return err(`it stays paused, since that could not be stored: ${stored.error}`);
    this.#become(resumed(this.#pause, before));
    this.#parts.log.warn('the guard was resumed', { by, still: this.view().reasons });
    return this.#stillHeld();
  }

  #stillHeld(): Result<void, string> {
    const { file } = this.#pause;
    const { reasons } = this.view();
    if (file === 'there') return err(`it stays paused as long as there is a file ${this.#parts.file}`);
    if (file === 'unreadable') return err(`it stays paused, since the path ${this.#parts.file} cannot be read`);
    return reasons.length === 0 ? ok(undefined) : err(`it was paused again: ${reasons.join(', ')}`);
  }

  async #recall(): Promise<void> {
    const { memory, log } = this.#parts;
    const stored = await memory.read();
    if (!stored.ok) log.error('the stored pause cannot be read, the guard stays paused', { reason: stored.error });
    this.#become(recalled(this.#pause, stored.ok ? stored.value : ['state_lost']));
    if (!stored.ok || this.#pause.held.size > stored.value.length) await this.#store();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look();
      if (this.#isUnstored) {
        this.#isUnstored = false;
        void this.#inLine(() => this.#store());
      }
      await this.#parts.clock.sleep(between, signal);
    }
  }

  /** One look at a time: where one hangs, nobody knows what is there. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { files, clock, file } = this.#parts;
    const over = new AbortController();
    const found = files.presence(file).finally(() => {
      this.#isLooking = false;
    });
    const late = clock.sleep(patience, over.signal).then((): Presence => 'unreadable');
    const presence = await Promise.race([found, late]);
    over.abort();
    this.#become({ ...this.#pause, file: presence });
  }

  async #store(): Promise<Result<void, string>> {
    // What is not known may hold more than this: it is read first, and written after that.
    if (!this.#pause.isKnown) return err('what was stored before is not known yet');
    const stored = await this.#parts.memory.write([...this.#pause.held.keys()]);
    this.#isUnstored = !stored.ok;
    return stored;
  }

  #become(pause: Pause): void {
    const before = this.view();
    this.#pause = pause;
    const view = this.view();
    if (!same(before, view)) this.#parts.changed(view);
  }

  #inLine<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const turn = this.#line.then(work);
    this.#line = turn.catch(() => undefined);
    return turn;
  }
}
