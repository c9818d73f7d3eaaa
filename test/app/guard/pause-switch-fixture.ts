import { expect, onTestFinished } from 'vitest';
import type { PauseReason } from '../../../src/api/guard.ts';
import type { PauseView } from '../../../src/app/guard/guard-control.ts';
import { type Pause, PauseSwitch } from '../../../src/app/guard/pause-switch.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { FilePresence, Files } from '../../../src/kernel/system.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';

/** Path of the pause file. */
export const file = 'state/guard.paused';

/** A pause of all clusters. */
export function everywhere(reason: PauseReason): Pause {
  return { reason, cluster: '' };
}

/** A disk that keeps what is written, as long as it can. */
export class Disk {
  pauses: readonly Pause[];
  isBroken = false;
  /** The next write fails although its change is carried out, as in a store that does not answer in time. */
  isLate = false;
  /** Writes wait for this. */
  gate: Promise<void> = Promise.resolve();
  writes = 0;

  constructor(reasons: readonly PauseReason[] = []) {
    this.pauses = reasons.map(everywhere);
  }

  get reasons(): readonly PauseReason[] {
    return this.pauses.map(({ reason }) => reason);
  }

  async read(): Promise<Result<readonly Pause[], string>> {
    return this.isBroken ? err('the disk is full') : ok(this.pauses);
  }

  async write(pauses: readonly Pause[]): Promise<Result<void, string>> {
    await this.gate;
    this.writes += 1;
    if (this.isBroken) return err('the disk is full');
    this.pauses = pauses;
    if (!this.isLate) return ok(undefined);
    this.isLate = false;
    return err('the disk is slow');
  }
}

/** A pause switch on a clock that a test moves. */
export function setUpSwitch(
  disk = new Disk(),
  found: FilePresence | 'hangs' = 'absent',
  more: Pick<Files, 'watch'> = {},
) {
  const clock = new FakeClock();
  const setup: { found: FilePresence | 'hangs'; looks: number } = { found, looks: 0 };
  const views: PauseView[] = [];
  const log = recordingLogger();
  const presence = (path: string): Promise<FilePresence> => {
    expect(path).toBe(file);
    setup.looks += 1;
    return setup.found === 'hangs' ? new Promise(() => undefined) : Promise.resolve(setup.found);
  };
  const changed = () => void views.push(pause.view());
  const pause: PauseSwitch = new PauseSwitch({ files: { presence, ...more }, clock, log, pauses: disk, file, changed });
  const stop = new AbortController();
  const run = () => {
    const ended = pause.run(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await ended;
    });
    return clock.settle();
  };
  return { pause, run, clock, setup: setup, views, disk, log, reasons: () => pause.view().reasons };
}
