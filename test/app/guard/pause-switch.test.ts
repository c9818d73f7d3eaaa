import { describe, expect, it, onTestFinished } from 'vitest';
import type { PauseReason } from '../../../src/api/guard.ts';
import type { PauseView } from '../../../src/app/guard/guard-control.ts';
import { PauseSwitch } from '../../../src/app/guard/pause-switch.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import type { FilePresence } from '../../../src/kernel/system.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';

const file = 'state/guard.paused';

/** A disk that keeps what is written, as long as it can. */
class Disk {
  reasons: readonly PauseReason[];
  isBroken = false;
  /** Writes wait for this. */
  gate: Promise<void> = Promise.resolve();
  writes = 0;

  constructor(reasons: readonly PauseReason[] = []) {
    this.reasons = reasons;
  }

  async read(): Promise<Result<readonly PauseReason[], string>> {
    return this.isBroken ? err('the disk is full') : ok(this.reasons);
  }

  async write(reasons: readonly PauseReason[]): Promise<Result<void, string>> {
    await this.gate;
    this.writes += 1;
    if (this.isBroken) return err('the disk is full');
    this.reasons = reasons;
    return ok(undefined);
  }
}

function setUp(disk = new Disk(), found: FilePresence | 'hangs' = 'absent') {
  const clock = new FakeClock();
  const setup: { found: FilePresence | 'hangs'; looks: number } = { found, looks: 0 };
  const views: PauseView[] = [];
  const log = recordingLogger();
  const presence = (path: string): Promise<FilePresence> => {
    expect(path).toBe(file);
    setup.looks += 1;
    return setup.found === 'hangs' ? new Promise(() => undefined) : Promise.resolve(setup.found);
  };
  const changed = (view: PauseView) => void views.push(view);
  const pause = new PauseSwitch({ files: { presence }, clock, log, pauses: disk, file, changed });
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

describe('the pause switch', () => {
  it('is paused until it is known that it is not', async () => {
    const { pause, run, views } = setUp();
    expect(pause.view()).toEqual({ isPaused: true, reasons: ['file', 'state_lost'] });
    await run();
    expect(pause.view()).toEqual({ isPaused: false, reasons: [] });
    expect(views.at(-1)).toEqual({ isPaused: false, reasons: [] });
  });

  it.each<[readonly PauseReason[]]>([[['operator']], [['signal']], [['unexpected_id', 'state_lost']]])(
    'outlives a restart: %j',
    async (stored) => {
      const { run, reasons } = setUp(new Disk(stored));
      await run();
      expect(reasons()).toEqual(stored);
    },
  );

  it('holds at once, and is on disk then', async () => {
    const { pause, run, disk, views, log } = setUp();
    await run();
    const stored = pause.pause('alice', 'operator');
    expect(views.at(-1)).toEqual({ isPaused: true, reasons: ['operator'] });
    expect(await stored).toEqual(ok(undefined));
    expect(disk.reasons).toEqual(['operator']);
    expect(JSON.stringify(log.lines)).toContain('"by":"alice"');
    const again = setUp(disk);
    await again.run();
    expect(again.reasons()).toEqual(['operator']);
  });

  it('holds what cannot be stored, says so, and stores it as soon as it can', async () => {
    const { pause, run, disk, clock, reasons } = setUp();
    await run();
    disk.isBroken = true;
    expect(await pause.pause('SIGUSR2', 'signal')).toEqual(err('the disk is full'));
    expect(reasons()).toEqual(['signal']);
    await clock.advance(2000);
    disk.isBroken = false;
    await clock.advance(500);
    expect(disk.reasons).toEqual(['signal']);
    const { writes } = disk;
    await clock.advance(5000);
    expect(disk.writes).toBe(writes);
  });

  it('takes a memory that cannot be read for lost, until an operator resumes', async () => {
    const disk = new Disk();
    disk.isBroken = true;
    const { pause, run, clock, reasons, log } = setUp(disk);
    await run();
    expect(reasons()).toEqual(['state_lost']);
    expect(log.lines.map(({ message }) => message)).toEqual(['stored pause cannot be read, guard stays paused']);
    expect(await pause.resume('alice')).toMatchObject({ ok: false });
    disk.isBroken = false;
    await clock.advance(500);
    expect(disk.reasons).toEqual(['state_lost']);
    expect(await pause.resume('alice')).toEqual(ok(undefined));
    expect([reasons(), disk.reasons]).toEqual([[], []]);
  });

  it('keeps what came before the stored was read', async () => {
    const { pause, run, disk, reasons } = setUp(new Disk(['unexpected_id']));
    expect(await pause.pause('SIGUSR2', 'signal')).toMatchObject({ ok: false });
    expect(await pause.resume('alice')).toEqual(err('the stored pause is not loaded yet; try again'));
    await run();
    expect(reasons()).toEqual(['signal', 'unexpected_id']);
    expect(disk.reasons.toSorted()).toEqual(['signal', 'unexpected_id']);
  });
});

describe('an unreadable guard section of the configuration file', () => {
  it('pauses the guard until the section is readable, without a stored pause', async () => {
    const { pause, run, disk, views, log, reasons } = setUp();
    await run();
    pause.setConfigReadable(true);
    expect(log.lines).toEqual([]);
    pause.setConfigReadable(false);
    pause.setConfigReadable(false);
    expect(views.at(-1)).toEqual({ isPaused: true, reasons: ['config'] });
    expect(await pause.resume('alice')).toEqual(
      err('the guard stays paused while the guard section of the configuration file cannot be read'),
    );
    expect([reasons(), disk.reasons]).toEqual([['config'], []]);
    pause.setConfigReadable(true);
    expect(views.at(-1)).toEqual({ isPaused: false, reasons: [] });
    expect(log.lines.map(({ message }) => message)).toEqual([
      'guard paused',
      'guard resumed',
      'guard section is readable again',
    ]);
  });
});

describe('the file', () => {
  it.each<FilePresence>(['there', 'unreadable'])('holds within a second, for as long as it is %s', async (found) => {
    const { pause, run, clock, setup, reasons } = setUp();
    await run();
    await clock.advance(10_001);
    setup.found = found;
    await clock.advance(500);
    expect(reasons()).toEqual(['file']);
    const answer = await pause.resume('alice');
    expect(answer).toEqual(err(expect.stringContaining(file)));
    expect(reasons()).toEqual(['file']);
    setup.found = 'absent';
    await clock.advance(500);
    expect(reasons()).toEqual([]);
  });

  it('holds from the start', async () => {
    const { run, reasons } = setUp(new Disk(), 'there');
    await run();
    expect(reasons()).toEqual(['file']);
  });

  it('counts as present within a second if its check hangs, and is not checked twice at the same time', async () => {
    const { run, clock, setup, reasons } = setUp();
    await run();
    setup.found = 'hangs';
    const { looks } = setup;
    await clock.advance(999);
    expect(reasons()).toEqual(['file']);
    await clock.advance(60_000);
    expect(setup.looks).toBe(looks + 1);
  });

  it('is no matter of the disk', async () => {
    const { run, clock, setup, disk } = setUp();
    await run();
    setup.found = 'there';
    await clock.advance(5000);
    expect(disk.writes).toBe(0);
  });
});

describe('resuming', () => {
  it('ends all that is stored', async () => {
    const { pause, run, disk, views, log } = setUp(new Disk(['operator', 'signal', 'unexpected_id', 'state_lost']));
    await run();
    expect(await pause.resume('alice')).toEqual(ok(undefined));
    expect([views.at(-1)?.isPaused, disk.reasons]).toEqual([false, []]);
    expect(log.lines.at(-1)).toMatchObject({ message: 'guard resumed', fields: { by: 'alice', still: [] } });
  });

  it('ends the rest even where the file goes on to hold', async () => {
    const { pause, run, disk, reasons } = setUp(new Disk(['operator']), 'there');
    await run();
    expect(await pause.resume('alice')).toMatchObject({ ok: false });
    expect([reasons(), disk.reasons]).toEqual([['file'], []]);
  });

  it('does nothing where cannot be stored: a restart would pause it again', async () => {
    const { pause, run, disk, reasons } = setUp(new Disk(['operator']));
    await run();
    disk.isBroken = true;
    expect(await pause.resume('alice')).toEqual(
      err('the guard stays paused: the resume could not be stored: the disk is full'),
    );
    expect(reasons()).toEqual(['operator']);
  });

  it('does not end a pause that comes while it is stored, nor forget it', async () => {
    const { pause, run, disk, reasons } = setUp(new Disk(['operator', 'unexpected_id']));
    await run();
    const gate = Promise.withResolvers<void>();
    disk.gate = gate.promise;
    const resumed = pause.resume('alice');
    const again = pause.pause('the guard', 'unexpected_id');
    gate.resolve();
    expect(await resumed).toEqual(err('the guard was paused again: unexpected_id'));
    expect(await again).toEqual(ok(undefined));
    expect([reasons(), disk.reasons]).toEqual([['unexpected_id'], ['unexpected_id']]);
  });
});
