import { type PauseReason, pauseReasons, pauseReasonTexts } from '../../api/guard.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import { FileWatch } from '../../kernel/file-watch.ts';
import type { Logger } from '../../kernel/logger.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { FilePresence, Files } from '../../kernel/system.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { GuardView } from '../../model/guard.ts';
import type { PauseView } from './guard-control.ts';

/** Pause that lasts until an operator resumes. */
export interface Pause {
  readonly reason: PauseReason;
  /** `''` for all clusters. */
  readonly cluster: string;
}

/** Where a pause outlives the program. Errors are sentences. */
export interface PauseStore {
  read(): Promise<Result<readonly Pause[], string>>;
  /** These, and no others, hold from now on. */
  write(pauses: readonly Pause[]): Promise<Result<void, string>>;
}

/** What the stop switch works with. */
export interface PauseSwitchParts {
  readonly files: Pick<Files, 'presence' | 'watch'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pauses: PauseStore;
  /** Path of the pause file. The guard pauses while the file exists, or while its presence is unknown. */
  readonly file: string;
  /** Called after each change of the pause state. */
  readonly changed: () => void;
}

/** The switch has to hold within a second: the time between two looks, and what one may take. */
const checkInterval: Millis = 500;
const checkTimeout: Millis = 400;
/** Time between two looks while the system reports changes of the folder; each abort looks once more. */
const reportedInterval: Millis = 5000;

/** The stop switch of the guard of all clusters, and of each. It begins paused, until it is known that it is not. */
export class PauseSwitch {
  readonly #parts: PauseSwitchParts;
  #state: PauseState = initialPauseState;
  #serial = 0;
  #isChecking = false;
  /** Checks of the pause file. */
  readonly #checks = new SerialQueue();
  /** Check that has not begun yet. */
  #nextCheck: Promise<void> | undefined;
  /** The latest pause could not be stored: that is tried again. */
  #isUnstored = false;
  /** Since when the guard of a cluster is paused, ms since the epoch. */
  readonly #since = new Map<string, number>();
  readonly #queue = new SerialQueue();

  constructor(parts: PauseSwitchParts) {
    this.#parts = parts;
  }

  /** Whether the guard of a cluster is paused, and why; without a cluster, only pauses of all clusters count. */
  view(cluster = ''): PauseView {
    return toPauseView(this.#state, cluster);
  }

  /** Since when the guard of a cluster is paused, ms since the epoch, and why; undefined if it is not. */
  inEffect(cluster: string): GuardView['paused'] {
    const { isPaused, reasons } = this.view(cluster);
    if (!isPaused) return undefined;
    const since = this.#since.get(cluster) ?? this.#parts.clock.now().wall;
    this.#since.set(cluster, since);
    return { since, reasons };
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

  /** Takes over the stored pauses: another replica may have paused or resumed. */
  follow(): Promise<void> {
    return this.#queue.run(async () => {
      const stored = await this.#parts.pauses.read();
      // What this process could not store yet still holds.
      if (stored.ok && this.#state.isKnown && !this.#isUnstored)
        this.#setState(withStoredPauses({ ...this.#state, held: [] }, stored.value));
    });
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
  pause(by: string, pause: Pause): Promise<Result<void, string>> {
    const { reason, cluster } = pause;
    this.#serial += 1;
    this.#setState(withPause(this.#state, pause, this.#serial));
    this.#parts.log.warn('guard paused', { by, reason, ...(cluster === '' ? {} : { cluster }) });
    return this.#queue.run(() => this.#store());
  }

  /**
   * Ends the pauses of one cluster, or all but the file, once that is stored; the error is that, or what holds it all
   * the same.
   */
  resume(by: string, cluster?: string): Promise<Result<void, string>> {
    const before = this.#state;
    return this.#queue.run(() => this.#resume(before, by, cluster));
  }

  async #resume(before: PauseState, by: string, cluster: string | undefined): Promise<Result<void, string>> {
    if (!before.isKnown) return err('the stored pause is not loaded yet; try again');
    const stored = await this.#parts.pauses.write(afterResume(this.#state, before, cluster).held);
    if (!stored.ok) return err(`the guard stays paused: the resume could not be stored: ${stored.error}`);
    this.#setState(afterResume(this.#state, before, cluster));
    const { reasons } = cluster === undefined ? anyPauseView(this.#state) : this.view(cluster);
    this.#parts.log.warn('guard resumed', { by, ...(cluster === undefined ? {} : { cluster }), still: reasons });
    return this.#remainingReasons(reasons, cluster);
  }

  #remainingReasons(reasons: readonly PauseReason[], cluster: string | undefined): Result<void, string> {
    const { file, isConfigReadable } = this.#state;
    const { reasons: common } = this.view();
    if (file === 'there') return err(`the guard stays paused while the file ${this.#parts.file} exists`);
    if (file === 'unreadable') return err(`the guard stays paused: the path ${this.#parts.file} cannot be read`);
    if (!isConfigReadable) return err(`the guard stays paused while ${pauseReasonTexts.config}`);
    if (cluster !== undefined && common.length > 0)
      return err(`the guard is paused on all clusters: ${common.join(', ')}; resume it without a cluster`);
    return reasons.length === 0 ? ok(undefined) : err(`the guard was paused again: ${reasons.join(', ')}`);
  }

  async #reload(): Promise<void> {
    const { pauses, log } = this.#parts;
    const stored = await pauses.read();
    if (!stored.ok) log.error('stored pause cannot be read, guard stays paused', { error: stored.error });
    this.#setState(withStoredPauses(this.#state, stored.ok ? stored.value : [stateLost]));
    if (!stored.ok || this.#state.held.length > stored.value.length) await this.#store();
  }

  async #watchFile(signal: AbortSignal): Promise<void> {
    const { files, file, clock } = this.#parts;
    const watch = new FileWatch(files, file, [basename(file)]);
    while (!signal.aborted) {
      await this.check();
      const isCalm = !this.#isUnstored && this.#state.file === 'absent';
      if (this.#isUnstored) {
        this.#isUnstored = false;
        void this.#queue.run(() => this.#store());
      }
      const watched = isCalm ? reportedInterval : checkInterval;
      await watch.change(clock, { watched, unwatched: checkInterval }, signal);
    }
  }

  /** Checks the pause file now, after a check that has begun before. Calls that wait for that share the next check. */
  check(): Promise<void> {
    this.#nextCheck ??= this.#checks.run(() => {
      this.#nextCheck = undefined;
      return this.#checkFile();
    });
    return this.#nextCheck;
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
    over.abort('checked'); // Without a reason it would create an error.
    this.#setState({ ...this.#state, file: presence });
  }

  async #store(): Promise<Result<void, string>> {
    // What is not known may hold more than this: it is read first, and written after that.
    if (!this.#state.isKnown) return err('the stored pause is not loaded yet');
    const stored = await this.#parts.pauses.write(this.#state.held);
    this.#isUnstored = !stored.ok;
    return stored;
  }

  #setState(pause: PauseState): void {
    const before = this.#state;
    this.#state = pause;
    if (deepEqual(before, pause)) return;
    for (const cluster of this.#since.keys()) if (!this.view(cluster).isPaused) this.#since.delete(cluster);
    this.#parts.changed();
  }
}

/** Pause after the loss of the stored pauses: one of them may have held for any cluster. */
export const stateLost: Pause = { reason: 'state_lost', cluster: '' };

/** Reasons why the guard is paused. */
export interface PauseState {
  /** The stored state is loaded. Before that it is unknown whether the guard is paused. */
  readonly isKnown: boolean;
  /** Stored pauses, one for each cluster and reason. The number distinguishes two pauses for the same reason. */
  readonly held: readonly (Pause & { readonly serial: number })[];
  /** Result of the latest check of the pause file. */
  readonly file: FilePresence;
  /** Whether the guard section of the configuration file can be read. */
  readonly isConfigReadable: boolean;
}

/** Nothing is known yet, neither of what was stored nor of the file: it is paused. */
export const initialPauseState: PauseState = {
  isKnown: false,
  held: [],
  file: 'unreadable',
  isConfigReadable: true,
};

/** Returns the last part of a path. */
function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether the guard of a cluster is paused, and why; `''` stands for what holds for all clusters. */
export function toPauseView(state: PauseState, cluster: string): PauseView {
  return anyPauseView({ ...state, held: state.held.filter((one) => one.cluster === '' || one.cluster === cluster) });
}

/**
 * Whether the guard of any cluster is paused, and why. What is not known counts as lost, and a path that cannot be read
 * as the file.
 */
function anyPauseView({ isKnown, held, file, isConfigReadable }: PauseState): PauseView {
  const all = new Set(held.map(({ reason }) => reason));
  if (!isKnown) all.add('state_lost');
  if (file !== 'absent') all.add('file');
  if (!isConfigReadable) all.add('config');
  return { isPaused: all.size > 0, reasons: pauseReasons.filter((reason) => all.has(reason)) };
}

/** It is paused for one more reason, or once more for the same one. */
export function withPause(state: PauseState, pause: Pause, serial: number): PauseState {
  return { ...state, held: [...state.held.filter((one) => !isSamePause(one, pause)), { ...pause, serial }] };
}

/** What was stored is known: it holds, in addition to what has come in the meantime. */
export function withStoredPauses(state: PauseState, stored: readonly Pause[]): PauseState {
  const earlier = stored.filter((pause) => !state.held.some((one) => isSamePause(one, pause)));
  return { ...state, isKnown: true, held: [...earlier.map((pause) => ({ ...pause, serial: 0 })), ...state.held] };
}

/**
 * An operator ends what held at `before`, for one cluster or for all; what has come since then goes on to hold, even for
 * the same reason.
 */
export function afterResume(state: PauseState, before: PauseState, cluster?: string): PauseState {
  const ended = before.held.filter((one) => cluster === undefined || one.cluster === cluster);
  const isEnded = (pause: PauseState['held'][number]) =>
    ended.some((one) => isSamePause(one, pause) && one.serial === pause.serial);
  return { ...state, held: state.held.filter((one) => !isEnded(one)) };
}

/** Whether two pauses are of the same clusters, for the same reason. */
export function isSamePause(one: Pause, other: Pause): boolean {
  return one.reason === other.reason && one.cluster === other.cluster;
}
