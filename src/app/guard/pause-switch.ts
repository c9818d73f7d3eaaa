import { type PauseReason, pauseReasons } from '../../api/guard.ts';
import { loadPauses, pauseChange, resumeChange } from '../../guard/storage/guard-state-rows.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Store } from '../../kernel/store.ts';
import type { FilePresence, Files } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import { type PauseView, pauseReasonTexts } from './guard-control.ts';

/** Where a pause outlives the program. Errors are sentences. */
export interface PauseStore {
  read(): Promise<Result<readonly PauseReason[], string>>;
  /** These, and no others, hold from now on. */
  write(reasons: readonly PauseReason[]): Promise<Result<void, string>>;
}

/** What the stop switch works with. */
export interface PauseSwitchParts {
  readonly files: Pick<Files, 'presence'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pauses: PauseStore;
  /** Path of the pause file. The guard pauses while the file exists, or while its presence is unknown. */
  readonly file: string;
  /** Called after each change of the pause state. */
  readonly changed: (view: PauseView) => void;
}

/** The switch has to hold within a second: the time between two looks, and what one may take. */
const checkInterval: Millis = 500;
const checkTimeout: Millis = 400;

/** The stop switch of the guard. It begins paused, until it is known that it is not. */
export class PauseSwitch {
  readonly #parts: PauseSwitchParts;
  #state: PauseState = initialPauseState;
  #serial = 0;
  #isChecking = false;
  /** The latest pause could not be stored: that is tried again. */
  #isUnstored = false;
  readonly #queue = new SerialQueue();

  constructor(parts: PauseSwitchParts) {
    this.#parts = parts;
  }

  /** Whether it is paused, and why. */
  view(): PauseView {
    return toPauseView(this.#state);
  }

  /** Reads what was stored, and looks for the file until the end. What cannot be read is lost: an operator has to resume. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.reload(), this.#watchFile(signal)]);
    await this.#queue.idle();
  }

  /** Reads what was stored, which holds beside what is known by then. */
  reload(): Promise<void> {
    return this.#queue.run(() => this.#reload());
  }

  /** Pauses the guard while the guard section of the configuration file cannot be read. Nothing of this is stored. */
  setConfigReadable(isReadable: boolean): void {
    if (isReadable === this.#state.isConfigReadable) return;
    this.#setState({ ...this.#state, isConfigReadable: isReadable });
    const { log } = this.#parts;
    if (isReadable) log.warn('guard section is readable again');
    else log.warn('guard paused', { by: 'graphwarden', reason: 'config' });
  }

  /** Holds at once; the error is that it could not be stored. */
  pause(by: string, reason: PauseReason): Promise<Result<void, string>> {
    this.#serial += 1;
    this.#setState(withReason(this.#state, reason, this.#serial));
    this.#parts.log.warn('guard paused', { by, reason });
    return this.#queue.run(() => this.#store());
  }

  /** Ends all but the file, once that is stored; the error is that, or what holds it all the same. */
  resume(by: string): Promise<Result<void, string>> {
    const before = this.#state;
    return this.#queue.run(() => this.#resume(before, by));
  }

  async #resume(before: PauseState, by: string): Promise<Result<void, string>> {
    if (!before.isKnown) return err('the stored pause is not loaded yet; try again');
    const stored = await this.#parts.pauses.write([...afterResume(this.#state, before).held.keys()]);
    if (!stored.ok) return err(`the guard stays paused: the resume could not be stored: ${stored.error}`);
    this.#setState(afterResume(this.#state, before));
    this.#parts.log.warn('guard resumed', { by, still: this.view().reasons });
    return this.#remainingReasons();
  }

  #remainingReasons(): Result<void, string> {
    const { file, isConfigReadable } = this.#state;
    const { reasons } = this.view();
    if (file === 'there') return err(`the guard stays paused while the file ${this.#parts.file} exists`);
    if (file === 'unreadable') return err(`the guard stays paused: the path ${this.#parts.file} cannot be read`);
    if (!isConfigReadable) return err(`the guard stays paused while ${pauseReasonTexts.config}`);
    return reasons.length === 0 ? ok(undefined) : err(`the guard was paused again: ${reasons.join(', ')}`);
  }

  async #reload(): Promise<void> {
    const { pauses, log } = this.#parts;
    const stored = await pauses.read();
    if (!stored.ok) log.error('stored pause cannot be read, guard stays paused', { reason: stored.error });
    this.#setState(withStoredReasons(this.#state, stored.ok ? stored.value : ['state_lost']));
    if (!stored.ok || this.#state.held.size > stored.value.length) await this.#store();
  }

  async #watchFile(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#checkFile();
      if (this.#isUnstored) {
        this.#isUnstored = false;
        void this.#queue.run(() => this.#store());
      }
      await this.#parts.clock.sleep(checkInterval, signal);
    }
  }

  /** Checks the pause file, one check at a time. While a check hangs, the presence of the file is unknown. */
  async #checkFile(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { files, clock, file } = this.#parts;
    const over = new AbortController();
    const found = files.presence(file).finally(() => {
      this.#isChecking = false;
    });
    const late = clock.sleep(checkTimeout, over.signal).then((): FilePresence => 'unreadable');
    const presence = await Promise.race([found, late]);
    over.abort();
    this.#setState({ ...this.#state, file: presence });
  }

  async #store(): Promise<Result<void, string>> {
    // What is not known may hold more than this: it is read first, and written after that.
    if (!this.#state.isKnown) return err('the stored pause is not loaded yet');
    const stored = await this.#parts.pauses.write([...this.#state.held.keys()]);
    this.#isUnstored = !stored.ok;
    return stored;
  }

  #setState(pause: PauseState): void {
    const before = this.view();
    this.#state = pause;
    const view = this.view();
    if (!deepEqual(before, view)) this.#parts.changed(view);
  }
}

/** Reasons why the guard is paused. */
export interface PauseState {
  /** The stored state is loaded. Before that it is unknown whether the guard is paused. */
  readonly isKnown: boolean;
  /** Stored pauses; each lasts until an operator resumes. The number distinguishes two pauses for the same reason. */
  readonly held: ReadonlyMap<PauseReason, number>;
  /** Result of the latest check of the pause file. */
  readonly file: FilePresence;
  /** Whether the guard section of the configuration file can be read. */
  readonly isConfigReadable: boolean;
}

/** Nothing is known yet, neither of what was stored nor of the file: it is paused. */
export const initialPauseState: PauseState = {
  isKnown: false,
  held: new Map(),
  file: 'unreadable',
  isConfigReadable: true,
};

/** Whether it is paused, and why. What is not known counts as lost, and a path that cannot be read as the file. */
export function toPauseView({ isKnown, held, file, isConfigReadable }: PauseState): PauseView {
  const all = new Set<PauseReason>(held.keys());
  if (!isKnown) all.add('state_lost');
  if (file !== 'absent') all.add('file');
  if (!isConfigReadable) all.add('config');
  return { isPaused: all.size > 0, reasons: pauseReasons.filter((reason) => all.has(reason)) };
}

/** It is paused for one more reason, or once more for the same one. */
export function withReason(pause: PauseState, reason: PauseReason, serial: number): PauseState {
  return { ...pause, held: new Map(pause.held).set(reason, serial) };
}

/** What was stored is known: it holds, beside what has come in the meantime. */
export function withStoredReasons(pause: PauseState, stored: readonly PauseReason[]): PauseState {
  return { ...pause, isKnown: true, held: new Map([...stored.map((reason) => [reason, 0] as const), ...pause.held]) };
}

/** An operator ends what held at `before`; what has come since then goes on to hold, even for the same reason. */
export function afterResume(pause: PauseState, before: PauseState): PauseState {
  return { ...pause, held: new Map([...pause.held].filter(([reason, serial]) => before.held.get(reason) !== serial)) };
}

const storedReasons: readonly PauseReason[] = ['operator', 'signal', 'unexpected_id', 'other_guard', 'state_lost'];

/** Creates the store of the pause switch. An unknown stored reason still pauses the guard. */
export function createPauseStore(store: Store, clock: Clock): PauseStore {
  return {
    async read() {
      const rows = await loadPauses(store);
      if (!rows.ok) return rows;
      const reasons = rows.value.map(({ reason }) => storedReasons.find((one) => one === reason) ?? 'state_lost');
      return ok([...new Set(reasons)]);
    },
    write(reasons) {
      const at = clock.now().wall;
      return store.commit([resumeChange(), ...reasons.map((reason) => pauseChange({ reason, by: '', at }))]);
    },
  };
}
