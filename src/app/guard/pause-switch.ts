import { type PauseReason, pauseReasons, pauseReasonTexts } from '../../api/guard.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import { FileWatcher } from '../../kernel/file-watcher.ts';
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

/** Durable store of pauses. Errors are sentences. */
export interface PauseStore {
  read(): Promise<Result<readonly Pause[], string>>;
  /** Replaces the stored pauses. */
  write(pauses: readonly Pause[]): Promise<Result<void, string>>;
}

/** Dependencies of a {@link PauseSwitch}. */
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

/** Interval of the checks of the pause file, and their timeout: a pause must hold within a second. */
const checkInterval: Millis = 500;
const checkTimeout: Millis = 400;
/** Lateness of its timer that shows a stall of the process, and the maximum number of stalls that a check waits for. */
const stallDelay: Millis = 100;
const maxStalls = 3;
/** Interval while the system reports changes of the folder; each abort checks the file again. */
const reportedInterval: Millis = 5000;

/** Pause switch of the guard, for all clusters and for each. It starts paused until the stored state and the file are known. */
export class PauseSwitch {
  readonly #parts: PauseSwitchParts;
  #state: PauseState = initialPauseState;
  #serial = 0;
  #isChecking = false;
  /** Checks of the pause file. */
  readonly #checks = new SerialQueue();
  /** Check that has not begun yet. */
  #nextCheck: Promise<void> | undefined;
  /** The latest pause could not be stored; storing it is retried. */
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

  /** Loads the stored pauses, and checks the file until `signal` aborts. If they cannot be read, an operator must resume. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.reload(), this.#watchFile(signal)]);
    await this.#queue.idle();
  }

  /** Loads the stored pauses and adds them to the current ones. */
  reload(): Promise<void> {
    return this.#queue.run(() => this.#reload());
  }

  /** Takes over the stored pauses: another replica may have paused or resumed. */
  follow(): Promise<void> {
    return this.#queue.run(async () => {
      const stored = await this.#parts.pauses.read();
      // Pauses that this process could not store yet still hold.
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

  /** Pauses the guard immediately; the error is that the pause could not be stored. */
  pause(by: string, pause: Pause): Promise<Result<void, string>> {
    const { reason, cluster } = pause;
    this.#serial += 1;
    this.#setState(withPause(this.#state, pause, this.#serial));
    this.#parts.log.warn('guard paused', { by, reason, ...(cluster === '' ? {} : { cluster }) });
    return this.#queue.run(() => this.#store());
  }

  /**
   * Ends the pauses of one cluster, or all except that of the file, after storing the change. The error says why this
   * failed, or what keeps the guard paused.
   */
  resume(by: string, cluster?: string): Promise<Result<void, string>> {
    const before = this.#state;
    return this.#queue.run(() => this.#resume(before, by, cluster));
  }

  async #resume(before: PauseState, by: string, cluster: string | undefined): Promise<Result<void, string>> {
    if (!before.isKnown) return err('the stored pause is not loaded yet; try again');
    const stored = await this.#parts.pauses.write(afterResume(this.#state, before, cluster).held);
    if (!stored.ok) {
      // A store that failed in time may still carry out the change: the pauses have to follow it.
      await this.#store();
      return err(`the guard stays paused: the resume could not be stored: ${stored.error}`);
    }
    this.#setState(afterResume(this.#state, before, cluster));
    const { reasons } = cluster === undefined ? anyPauseView(this.#state) : this.view(cluster);
    this.#parts.log.warn('guard resumed', { by, ...(cluster === undefined ? {} : { cluster }), still: reasons });
    return this.#remainingReasons(reasons, cluster);
  }

  #remainingReasons(reasons: readonly PauseReason[], cluster: string | undefined): Result<void, string> {
    const { file, isConfigReadable } = this.#state;
    const { reasons: common } = this.view();
    if (file === 'present') return err(`the guard stays paused while the file ${this.#parts.file} exists`);
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
    const watcher = new FileWatcher(files, file, [file.slice(file.lastIndexOf('/') + 1)]);
    while (!signal.aborted) {
      await this.check();
      const isCalm = !this.#isUnstored && this.#state.file === 'absent';
      if (this.#isUnstored) {
        this.#isUnstored = false;
        void this.#queue.run(() => this.#store());
      }
      const watched = isCalm ? reportedInterval : checkInterval;
      await watcher.change(clock, { watched, unwatched: checkInterval }, signal);
    }
  }

  /** Checks the pause file after a check in progress; calls meanwhile share it. Returns whether the presence is known. */
  async check(): Promise<boolean> {
    this.#nextCheck ??= this.#checks.run(() => {
      this.#nextCheck = undefined;
      return this.#checkFile();
    });
    await this.#nextCheck;
    return this.#state.file !== 'unreadable';
  }

  /** Checks the pause file, one check at a time. While a check hangs, the presence of the file is unknown. */
  async #checkFile(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const { files, file } = this.#parts;
    const over = new AbortController();
    const found = files.presence(file).finally(() => {
      this.#isChecking = false;
    });
    const late = this.#timeOut(over.signal).then((): FilePresence => 'unreadable');
    const presence = await Promise.race([found, late]);
    over.abort('checked'); // Without a reason it would create an error.
    this.#setState({ ...this.#state, file: presence });
  }

  /**
   * Resolves after the timeout of a check, or when `signal` aborts. After a stall of the process, the check gets the timeout
   * again, because timers run before answers are received: otherwise each stall would pause the guard.
   */
  async #timeOut(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    for (let stalls = 0; stalls <= maxStalls && !signal.aborted; stalls += 1) {
      const begun = clock.now().mono;
      await clock.sleep(checkTimeout, signal);
      if (clock.now().mono - begun < checkTimeout + stallDelay) return;
    }
  }

  async #store(): Promise<Result<void, string>> {
    // The store may contain more pauses than are known: load them before they are replaced.
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

/** State at the start: paused, because the stored pauses and the file are unknown. */
export const initialPauseState: PauseState = {
  isKnown: false,
  held: [],
  file: 'unreadable',
  isConfigReadable: true,
};

/** Whether the guard of a cluster is paused, and why; `''` stands for all clusters. */
export function toPauseView(state: PauseState, cluster: string): PauseView {
  return anyPauseView({ ...state, held: state.held.filter((one) => one.cluster === '' || one.cluster === cluster) });
}

/**
 * Whether the guard of any cluster is paused, and why. An unknown state counts as lost, and an unreadable
 * path counts as an existing file.
 */
function anyPauseView({ isKnown, held, file, isConfigReadable }: PauseState): PauseView {
  const all = new Set(held.map(({ reason }) => reason));
  if (!isKnown) all.add('state_lost');
  if (file !== 'absent') all.add('file');
  if (!isConfigReadable) all.add('config');
  return { isPaused: all.size > 0, reasons: pauseReasons.filter((reason) => all.has(reason)) };
}

/** Adds a pause, also if one with the same reason exists. */
export function withPause(state: PauseState, pause: Pause, serial: number): PauseState {
  return { ...state, held: [...state.held.filter((one) => !isSamePause(one, pause)), { ...pause, serial }] };
}

/** Adds the stored pauses to those since the start. */
export function withStoredPauses(state: PauseState, stored: readonly Pause[]): PauseState {
  const earlier = stored.filter((pause) => !state.held.some((one) => isSamePause(one, pause)));
  return { ...state, isKnown: true, held: [...earlier.map((pause) => ({ ...pause, serial: 0 })), ...state.held] };
}

/**
 * Removes the pauses that existed in `before`, of one cluster or of all. Later pauses stay, also those with the same
 * reason.
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
