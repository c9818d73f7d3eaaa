import { describe, expect, it } from 'vitest';
import { familiesIn } from '../../../generate/rules/aggregation.ts';
import { alertGroups, recordGroups } from '../../../generate/rules/files.ts';
import { scenarioNames } from '../../../src/simulator/world/scenarios.ts';
import { findTool } from '../../support/tools.ts';
import type { Stage } from '../guard-stage.ts';
import { differences } from './comparison.ts';
import { type Firing, type Play, record } from './recording.ts';
import { replay } from './replay.ts';

const promtool = findTool('promtool');
const families = new Set(
  [...alertGroups(), ...recordGroups()].flatMap((group) => group.rules.flatMap(({ expr }) => familiesIn(expr))),
);
/** A play with what it is about: both engines have to tell of that, else there was nothing to compare. */
interface Told extends Play {
  readonly about: string;
  readonly told: readonly string[];
}

/** As often as graphwarden looks itself, so that both see the same moments; less often where it takes long. */
const plays: readonly Told[] = [
  {
    about: 'runaway queries',
    scenario: 'runaway_queries',
    minutes: 10,
    every: 5,
    told: ['GraphdbQueryAborted warning', 'GraphdbGuardBreakerOpen critical'],
  },
  {
    about: 'a storm of queries',
    scenario: 'queue_storm',
    minutes: 8,
    every: 5,
    told: ['GraphdbDelayQueuePressure warning'],
  },
  {
    about: 'an engine that flaps',
    scenario: 'flapping',
    minutes: 6,
    every: 5,
    told: ['GraphdbServiceFlapping warning'],
  },
  {
    about: 'a node that is away',
    scenario: 'node_outage',
    minutes: 10,
    every: 5,
    told: ['GraphdbNodeUnreachable critical', 'GraphdbServiceNotOnline warning', 'GraphdbGuardBlind critical'],
  },
  // Until room is made, and the alert is over.
  {
    about: 'a disk that runs full fast',
    scenario: 'disk_full',
    minutes: 35,
    every: 15,
    nodes: 2,
    told: ['GraphdbServiceReadonly critical', 'GraphdbDiskFilling critical'],
  },
  // So slowly that the forecast warns before there is little left.
  {
    about: 'a disk that runs full slowly',
    scenario: 'disk_full',
    minutes: 55,
    every: 15,
    nodes: 2,
    speed: 1 / 4,
    told: ['GraphdbDiskFilling warning', 'GraphdbServiceReadonly critical', 'GraphdbDiskFilling critical'],
  },
  // Answers of a hundred megabytes take their time.
  {
    about: 'every known fault',
    scenario: 'bad_server',
    minutes: 7,
    every: 15,
    nodes: 1,
    told: ['GraphdbNodeUnreachable critical', 'GraphdbCollectorBlind warning', 'GraphdbGuardBlind critical'],
  },
];

function pauseGuard({ warden }: Stage): void {
  warden().app.pauseGuard();
}

/** What fired at any time, with how urgent it is. */
function namesIn(firing: readonly (readonly Firing[])[]): readonly string[] {
  return [...new Set(firing.flat().map(({ alert, severity }) => `${alert} ${severity}`))].toSorted();
}

describe.skipIf(promtool === undefined)('both engines', () => {
  it('are compared in every scenario', () => {
    expect([...new Set(plays.map(({ scenario }) => scenario))].concat('calm').toSorted()).toEqual(
      [...scenarioNames].toSorted(),
    );
  });

  it.each(plays)(
    'tell the same episodes of $about',
    async (play) => {
      const recording = await record(play, families);
      const theirs = replay(recording);
      expect(differences(recording.firing, theirs, play.every)).toEqual([]);
      for (const firing of [recording.firing, theirs])
        expect(namesIn(firing)).toEqual(expect.arrayContaining([...play.told]));
    },
    400_000,
  );

  it('tell of a guard that somebody has paused, after an hour', async () => {
    const recording = await record({ scenario: 'calm', minutes: 63, every: 15, nodes: 1, begin: pauseGuard }, families);
    const theirs = replay(recording);
    expect(differences(recording.firing, theirs, 15)).toEqual([]);
    for (const firing of [recording.firing, theirs]) {
      expect(namesIn(firing.slice(-1))).toEqual(['GraphwardenGuardPaused warning', 'GraphwardenWatchdog info']);
    }
  }, 400_000);

  it('tell nothing on a calm day, for an hour, but that they live', async () => {
    const recording = await record({ scenario: 'calm', minutes: 61, every: 15 }, families);
    for (const firing of [recording.firing, replay(recording)]) {
      expect(namesIn(firing)).toEqual(['GraphwardenWatchdog info']);
    }
  }, 400_000);
});
