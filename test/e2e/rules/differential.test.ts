import { describe, expect, it } from 'vitest';
import { familiesIn } from '../../../generate/rules/aggregation.ts';
import { alertGroups, recordGroups } from '../../../generate/rules/files.ts';
import { scenarioNames } from '../../../src/simulator/world/scenarios.ts';
import { findTool } from '../../support/tools.ts';
import type { Stage } from '../guard-stage.ts';
import { differences } from './comparison.ts';
import { type Play, record } from './recording.ts';
import { replay } from './replay.ts';

const promtool = findTool('promtool');
const families = new Set(
  [...alertGroups(), ...recordGroups()].flatMap((group) => group.rules.flatMap(({ expr }) => familiesIn(expr))),
);
/** As often as graphwarden looks itself, so that both see the same moments; less often where it takes long. */
const plays: readonly Play[] = [
  { scenario: 'runaway_queries', minutes: 10, every: 5 },
  { scenario: 'queue_storm', minutes: 8, every: 5 },
  { scenario: 'flapping', minutes: 6, every: 5 },
  { scenario: 'node_outage', minutes: 10, every: 5 },
  { scenario: 'disk_full', minutes: 20, every: 15 },
  // Answers of a hundred megabytes take their time.
  { scenario: 'bad_server', minutes: 7, every: 15, nodes: 1 },
];

function pauseGuard({ warden }: Stage): void {
  warden().app.pauseGuard();
}

describe.skipIf(promtool === undefined)('both engines', () => {
  it('are compared in every scenario', () => {
    expect(
      plays
        .map(({ scenario }) => scenario)
        .concat('calm')
        .toSorted(),
    ).toEqual([...scenarioNames].toSorted());
  });

  it.each(plays)(
    'tell the same episodes of $scenario',
    async (play) => {
      const recording = await record(play, families);
      const theirs = replay(recording);
      expect(differences(recording.firing, theirs, play.every)).toEqual([]);
      const alerts = new Set(recording.firing.flatMap((all) => all.map(({ alert }) => alert)));
      // Something has happened: else there was nothing to compare.
      expect(alerts.size).toBeGreaterThan(1);
    },
    400_000,
  );

  it('tell of a guard that somebody has paused, after an hour', async () => {
    const recording = await record({ scenario: 'calm', minutes: 63, every: 15, nodes: 1, begin: pauseGuard }, families);
    const theirs = replay(recording);
    expect(differences(recording.firing, theirs, 15)).toEqual([]);
    for (const firing of [recording.firing, theirs]) {
      expect(
        firing
          .at(-1)
          ?.map(({ alert, severity }) => `${alert} ${severity}`)
          .toSorted(),
      ).toEqual(['GraphwardenGuardPaused warning', 'GraphwardenWatchdog info']);
    }
  }, 400_000);

  it('tell nothing on a calm day, for an hour, but that they live', async () => {
    const recording = await record({ scenario: 'calm', minutes: 61, every: 15 }, families);
    for (const firing of [recording.firing, replay(recording)]) {
      expect(new Set(firing.flatMap((alerts) => alerts.map(({ alert }) => alert)))).toEqual(
        new Set(['GraphwardenWatchdog']),
      );
    }
  }, 400_000);
});
