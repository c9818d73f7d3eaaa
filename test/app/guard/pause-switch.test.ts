import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PauseReason } from '../../../src/api/guard.ts';
import { PauseSwitch } from '../../../src/app/guard/pause-switch.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { FilePresence } from '../../../src/kernel/system.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemFiles } from '../../../src/runtime/files.ts';
import { recordingLogger } from '../../support/logger.ts';
import { Disk, everywhere, file, setUpSwitch } from './pause-switch-fixture.ts';

describe('the pause switch', () => {
  it('is on until the stored reasons are loaded', async () => {
    const { pause, run, views } = setUpSwitch();
    expect(pause.view()).toEqual({ isPaused: true, reasons: ['file', 'state_lost'] });
    await run();
    expect(pause.view()).toEqual({ isPaused: false, reasons: [] });
    expect(views.at(-1)).toEqual({ isPaused: false, reasons: [] });
  });

  it.each<[readonly PauseReason[]]>([[['operator']], [['signal']], [['unexpected_id', 'state_lost']]])(
    'stays on after a restart: %j',
    async (stored) => {
      const { run, reasons } = setUpSwitch(new Disk(stored));
      await run();
      expect(reasons()).toEqual(stored);
    },
  );

  it('pauses at once, and stores the reason', async () => {
    const { pause, run, disk, views, log } = setUpSwitch();
    await run();
    const stored = pause.pause('alice', everywhere('operator'));
    expect(views.at(-1)).toEqual({ isPaused: true, reasons: ['operator'] });
    expect(await stored).toEqual(ok(undefined));
    expect(disk.reasons).toEqual(['operator']);
    expect(JSON.stringify(log.lines)).toContain('"by":"alice"');
    const again = setUpSwitch(disk);
    await again.run();
    expect(again.reasons()).toEqual(['operator']);
  });

  it('keeps a reason that cannot be stored, reports it, and stores it as soon as possible', async () => {
    const { pause, run, disk, clock, reasons } = setUpSwitch();
    await run();
    disk.isBroken = true;
    expect(await pause.pause('SIGUSR2', everywhere('signal'))).toEqual(err('the disk is full'));
    expect(reasons()).toEqual(['signal']);
    await clock.advance(2000);
    disk.isBroken = false;
    await clock.advance(500);
    expect(disk.reasons).toEqual(['signal']);
    const { writes } = disk;
    await clock.advance(5000);
    expect(disk.writes).toBe(writes);
  });

  it('pauses with the reason state_lost if the stored reasons cannot be read, until an operator resumes', async () => {
    const disk = new Disk();
    disk.isBroken = true;
    const { pause, run, clock, reasons, log } = setUpSwitch(disk);
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

  it('keeps reasons from before the stored ones were read', async () => {
    const { pause, run, disk, reasons } = setUpSwitch(new Disk(['unexpected_id']));
    expect(await pause.pause('SIGUSR2', everywhere('signal'))).toMatchObject({ ok: false });
    expect(await pause.resume('alice')).toEqual(err('the stored pause is not loaded yet; try again'));
    await run();
    expect(reasons()).toEqual(['signal', 'unexpected_id']);
    expect(disk.reasons.toSorted()).toEqual(['signal', 'unexpected_id']);
  });
});

describe('an unreadable guard section of the configuration file', () => {
  it('pauses the guard until the section is readable, without a stored pause', async () => {
    const { pause, run, disk, views, log, reasons } = setUpSwitch();
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

describe('the pause file', () => {
  it.each<FilePresence>(['present', 'unreadable'])(
    'pauses the guard within a second, while it is %s',
    async (found) => {
      const { pause, run, clock, setup, reasons } = setUpSwitch();
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
    },
  );

  it('pauses the guard from the start', async () => {
    const { run, reasons } = setUpSwitch(new Disk(), 'present');
    await run();
    expect(reasons()).toEqual(['file']);
  });

  it('counts as present within a second if its check hangs, and is not checked twice at the same time', async () => {
    const { run, clock, setup, reasons } = setUpSwitch();
    await run();
    setup.found = 'hangs';
    const { looks } = setup;
    await clock.advance(999);
    expect(reasons()).toEqual(['file']);
    await clock.advance(60_000);
    expect(setup.looks).toBe(looks + 1);
  });

  it('does not count as present if the process stalls while it is checked', async () => {
    const changes: unknown[] = [];
    const pause: PauseSwitch = new PauseSwitch({
      files: systemFiles,
      clock: systemClock,
      log: recordingLogger(),
      pauses: new Disk(),
      file: join(tmpdir(), 'missing', 'guard.paused'),
      changed: () => void changes.push(pause.view()),
    });
    await pause.check();
    const before = changes.length;
    const checked = pause.check();
    // Lets the check begin, and then blocks the event loop for longer than its timeout.
    await Promise.resolve();
    const stalledUntil = performance.now() + 700;
    while (performance.now() < stalledUntil);
    await checked;
    expect(changes.slice(before)).toEqual([]);
  });

  it('pauses the guard at once if the system reports file changes, and is checked every 5 s and before an abort', async () => {
    const folder = { report: (_name: string): void => undefined };
    const watch = (_path: string, changed: (name: string) => void) => {
      folder.report = changed;
      return () => undefined;
    };
    const { pause, run, clock, setup, reasons } = setUpSwitch(new Disk(), 'absent', { watch });
    await run();
    const { looks } = setup;
    await clock.advance(50_000);
    expect(setup.looks - looks).toBe(10);
    setup.found = 'present';
    folder.report('guard.paused');
    await clock.settle();
    expect(reasons()).toEqual(['file']);
    setup.found = 'absent';
    await clock.advance(500);
    expect(reasons()).toEqual([]);
    setup.found = 'present';
    await pause.check();
    expect(reasons()).toEqual(['file']);
  });

  it('is checked once for all aborts that wait for the check', async () => {
    const { pause, run, setup, reasons } = setUpSwitch();
    await run();
    const { looks } = setup;
    const first = pause.check();
    const others = Array.from({ length: 20 }, () => pause.check());
    setup.found = 'present';
    await Promise.all([first, ...others]);
    expect(setup.looks - looks).toBeLessThanOrEqual(2);
    expect(reasons()).toEqual(['file']);
  });

  it('causes no write to the store', async () => {
    const { run, clock, setup, disk } = setUpSwitch();
    await run();
    setup.found = 'present';
    await clock.advance(5000);
    expect(disk.writes).toBe(0);
  });
});

describe('resume', () => {
  it('deletes all stored reasons', async () => {
    const { pause, run, disk, views, log } = setUpSwitch(
      new Disk(['operator', 'signal', 'unexpected_id', 'state_lost']),
    );
    await run();
    expect(await pause.resume('alice')).toEqual(ok(undefined));
    expect([views.at(-1)?.isPaused, disk.reasons]).toEqual([false, []]);
    expect(log.lines.at(-1)).toMatchObject({ message: 'guard resumed', fields: { by: 'alice', still: [] } });
  });

  it('ends other reasons while the file still pauses the guard', async () => {
    const { pause, run, disk, reasons } = setUpSwitch(new Disk(['operator']), 'present');
    await run();
    expect(await pause.resume('alice')).toMatchObject({ ok: false });
    expect([reasons(), disk.reasons]).toEqual([['file'], []]);
  });

  it('does not take effect later if it could not be stored in time', async () => {
    const { pause, run, disk, reasons } = setUpSwitch(new Disk(['operator']));
    await run();
    disk.isLate = true;
    expect(await pause.resume('alice')).toEqual(
      err('the guard stays paused: the resume could not be stored: the disk is slow'),
    );
    await pause.follow();
    expect([reasons(), disk.reasons]).toEqual([['operator'], ['operator']]);
    const restarted = setUpSwitch(disk);
    await restarted.run();
    expect(restarted.reasons()).toEqual(['operator']);
  });

  it('fails if it cannot be stored, because a restart would pause the guard again', async () => {
    const { pause, run, disk, reasons } = setUpSwitch(new Disk(['operator']));
    await run();
    disk.isBroken = true;
    expect(await pause.resume('alice')).toEqual(
      err('the guard stays paused: the resume could not be stored: the disk is full'),
    );
    expect(reasons()).toEqual(['operator']);
  });

  it('keeps a pause that begins while the resume is being stored', async () => {
    const { pause, run, disk, reasons } = setUpSwitch(new Disk(['operator', 'unexpected_id']));
    await run();
    const gate = Promise.withResolvers<void>();
    disk.gate = gate.promise;
    const resumed = pause.resume('alice');
    const again = pause.pause('the guard', everywhere('unexpected_id'));
    gate.resolve();
    expect(await resumed).toEqual(err('the guard was paused again: unexpected_id'));
    expect(await again).toEqual(ok(undefined));
    expect([reasons(), disk.reasons]).toEqual([['unexpected_id'], ['unexpected_id']]);
  });
});
