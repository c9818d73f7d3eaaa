import { describe, expect, it } from 'vitest';
import { findTool } from '../../support/tools.ts';
import { differences } from './comparison.ts';
import { everything } from './recording.ts';
import { expectSameIncidents, inventoryInterval, longRuns, namesIn, pauseGuard, runBoth } from './scenario-runs.ts';

describe.skipIf(findTool('promtool') === undefined)('graphwarden and Prometheus, over hours', () => {
  it.each(longRuns)('fire the same incidents for $about', expectSameIncidents, 400_000);

  it('fire for a guard that was paused an hour ago', async () => {
    const { graphwarden, prometheus } = await runBoth({
      scenario: 'calm',
      minutes: 63,
      every: 15,
      nodes: 1,
      inventoryInterval,
      begin: pauseGuard,
    });
    expect(differences(graphwarden, prometheus, 15)).toEqual([]);
    for (const firing of [graphwarden, prometheus]) {
      expect(namesIn(firing.slice(-1))).toEqual(['GraphdbGuardPaused warning', 'GraphwardenWatchdog info']);
    }
  }, 400_000);

  it('fire only the watchdog for a healthy cluster with every collector enabled', async () => {
    const { graphwarden, prometheus, polled } = await runBoth({ scenario: 'calm', minutes: 61, every: 15 });
    expect(polled).toEqual(everything);
    for (const firing of [graphwarden, prometheus]) expect(namesIn(firing)).toEqual(['GraphwardenWatchdog info']);
  }, 400_000);
});
