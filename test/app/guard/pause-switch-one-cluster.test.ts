import { describe, expect, it } from 'vitest';
import type { Pause } from '../../../src/app/guard/pause-switch.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { Disk, everywhere, setUpSwitch } from './pause-switch-fixture.ts';

describe('a pause of one cluster', () => {
  const unexpected: Pause = { reason: 'unexpected_id', cluster: 'prod' };

  it('pauses only this cluster, also after a restart', async () => {
    const { pause, run, disk, log, views } = setUpSwitch();
    await run();
    expect(await pause.pause('graphwarden', unexpected)).toEqual(ok(undefined));
    expect(log.lines.at(-1)?.fields).toEqual({ by: 'graphwarden', ...unexpected });
    expect(views.at(-1)).toEqual({ isPaused: false, reasons: [] });
    const again = setUpSwitch(disk);
    await again.run();
    for (const one of [pause, again.pause]) {
      expect(one.view('prod')).toEqual({ isPaused: true, reasons: ['unexpected_id'] });
      expect(one.view('test')).toEqual({ isPaused: false, reasons: [] });
    }
  });

  it('ends with the pauses of its cluster, or with all', async () => {
    const { pause, run, disk } = setUpSwitch();
    await run();
    await pause.pause('graphwarden', unexpected);
    await pause.pause('graphwarden', { ...unexpected, cluster: 'test' });
    expect(await pause.resume('alice', 'prod')).toEqual(ok(undefined));
    expect([pause.view('prod').reasons, disk.pauses]).toEqual([[], [{ ...unexpected, cluster: 'test', serial: 2 }]]);
    expect(await pause.resume('alice')).toEqual(ok(undefined));
    expect([pause.view('test').reasons, disk.pauses]).toEqual([[], []]);
  });

  it('does not end a pause of all clusters, and reports that', async () => {
    const { pause, run, disk, reasons } = setUpSwitch(new Disk(['operator']));
    await run();
    await pause.pause('graphwarden', unexpected);
    expect(await pause.resume('alice', 'prod')).toEqual(
      err('the guard is paused on all clusters: operator; resume it without a cluster'),
    );
    expect([reasons(), disk.reasons]).toEqual([['operator'], ['operator']]);
  });

  it('has the time of its start, and after a resume the time of its next start', async () => {
    const { pause, run, clock } = setUpSwitch();
    await run();
    expect(pause.inEffect('prod')).toBeUndefined();
    await pause.pause('graphwarden', unexpected);
    const since = clock.now().wall;
    expect(pause.inEffect('prod')).toEqual({ since, reasons: ['unexpected_id'] });
    await clock.advance(5000);
    await pause.pause('alice', everywhere('operator'));
    expect(pause.inEffect('prod')).toEqual({ since, reasons: ['operator', 'unexpected_id'] });
    await pause.resume('alice');
    await pause.pause('graphwarden', unexpected);
    expect(pause.inEffect('prod')).toEqual({ since: since + 5000, reasons: ['unexpected_id'] });
    expect(pause.inEffect('test')).toBeUndefined();
  });

  it('that a crash interrupts before it is stored leaves the stored pauses of the others', async () => {
    const disk = new Disk();
    const first = setUpSwitch(disk);
    await first.run();
    await first.pause.pause('graphwarden', { ...unexpected, cluster: 'test' });
    const gate = Promise.withResolvers<void>();
    disk.gate = gate.promise;
    void first.pause.pause('graphwarden', unexpected);
    expect(first.pause.view('prod').isPaused).toBe(true);
    const again = setUpSwitch(Object.assign(new Disk(), { pauses: disk.pauses }));
    await again.run();
    expect([again.pause.view('prod').reasons, again.pause.view('test').reasons]).toEqual([[], ['unexpected_id']]);
    gate.resolve();
  });
});
