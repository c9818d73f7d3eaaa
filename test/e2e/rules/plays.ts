import { expect } from 'vitest';
import { familiesIn } from '../../../tools/generate/rules/aggregation.ts';
import { alertGroups, recordingGroups } from '../../../tools/generate/rules/rule-files.ts';
import type { GuardEnvironment } from '../guard-environment.ts';
import { differences } from './comparison.ts';
import { replay } from './prometheus-replay.ts';
import { type Firing, type Recording, record, type ScenarioRun } from './recording.ts';

const families = new Set(
  [...alertGroups(), ...recordingGroups()].flatMap((group) => group.rules.flatMap(({ expr }) => familiesIn(expr))),
);

/** Scenario with the alerts that must fire in both engines: without them there is nothing to compare. */
export interface ComparedRun extends ScenarioRun {
  readonly about: string;
  /** Alerts with their severities that fire at some time of the run. */
  readonly fires: readonly string[];
}

/** Runs of `npm test`. The scrape interval of the first four equals the poll interval, so that both engines evaluate the same moments. */
export const shortRuns: readonly ComparedRun[] = [
  {
    about: 'runaway queries',
    scenario: 'runaway_queries',
    minutes: 10,
    every: 5,
    fires: ['GraphdbQueryAborted warning', 'GraphdbGuardBreakerOpen critical'],
  },
  {
    about: 'a storm of queries',
    scenario: 'queue_storm',
    minutes: 8,
    every: 5,
    fires: ['GraphdbDelayQueuePressure warning'],
  },
  {
    about: 'a storm of which the servers reject half',
    scenario: 'rejected_storm',
    minutes: 8,
    every: 15,
    nodes: 1,
    fires: ['GraphdbDelayQueuePressure warning', 'GraphdbQueueSaturated critical'],
  },
  {
    about: 'an engine that flaps',
    scenario: 'flapping',
    minutes: 6,
    every: 5,
    fires: ['GraphdbServiceFlapping warning'],
  },
  {
    about: 'an unreachable node',
    scenario: 'node_outage',
    minutes: 10,
    every: 5,
    fires: ['GraphdbNodeUnreachable critical', 'GraphdbServiceNotOnline warning', 'GraphdbGuardBlind critical'],
  },
  {
    about: 'a full disk, at six times the speed',
    scenario: 'disk_full',
    minutes: 6,
    every: 15,
    nodes: 1,
    speed: 6,
    fires: ['GraphdbServiceReadonly critical'],
  },
  {
    about: 'the first faults of a server',
    scenario: 'bad_server',
    minutes: 3,
    every: 15,
    nodes: 1,
    fires: ['GraphdbNodeUnreachable critical', 'GraphdbCollectorBlind warning', 'GraphdbGuardBlind critical'],
  },
  {
    about: 'a calm cluster, for some minutes',
    scenario: 'calm',
    minutes: 4,
    every: 15,
    fires: ['GraphwardenWatchdog info'],
  },
  {
    about: 'a guard that is paused for some minutes',
    scenario: 'calm',
    minutes: 4,
    every: 15,
    nodes: 1,
    begin: pauseGuard,
    fires: ['GraphwardenWatchdog info'],
  },
];

/** Runs of `npm run test:campaign`. */
export const longRuns: readonly ComparedRun[] = [
  {
    about: 'a disk that fills up within minutes, until space is freed and the alert resolves',
    scenario: 'disk_full',
    minutes: 35,
    every: 15,
    nodes: 2,
    fires: ['GraphdbServiceReadonly critical', 'GraphdbDiskFilling critical'],
  },
  {
    about: 'a disk that fills up so slowly that the forecast warns first',
    scenario: 'disk_full',
    minutes: 55,
    every: 15,
    nodes: 2,
    speed: 1 / 4,
    fires: ['GraphdbDiskFilling warning', 'GraphdbServiceReadonly critical', 'GraphdbDiskFilling critical'],
  },
  {
    about: 'every known fault of a server',
    scenario: 'bad_server',
    minutes: 7,
    every: 15,
    nodes: 1,
    fires: ['GraphdbNodeUnreachable critical', 'GraphdbCollectorBlind warning', 'GraphdbGuardBlind critical'],
  },
];

/** Firing alerts of a run in each engine, scrape by scrape. */
export interface FiringByEngine {
  readonly graphwarden: Recording['firing'];
  readonly prometheus: Recording['firing'];
}

/** Runs a scenario in graphwarden and replays the recorded metrics in Prometheus. */
export async function runBoth(run: ScenarioRun): Promise<FiringByEngine> {
  const recording = await record(run, families);
  return { graphwarden: recording.firing, prometheus: replay(recording) };
}

/** Checks that both engines fire the same incidents, including {@link ComparedRun.fires}; in a calm cluster only these. */
export async function expectSameIncidents(run: ComparedRun): Promise<void> {
  const { graphwarden, prometheus } = await runBoth(run);
  expect(differences(graphwarden, prometheus, run.every)).toEqual([]);
  const expected = run.scenario === 'calm' ? run.fires : expect.arrayContaining([...run.fires]);
  for (const firing of [graphwarden, prometheus]) expect(namesIn(firing)).toEqual(expected);
}

/** Pauses the guard by API. */
export function pauseGuard({ daemon }: GuardEnvironment): void {
  daemon().app.pauseGuard();
}

/** Returns every alert that fired at any time, with its severity. */
export function namesIn(firing: readonly (readonly Firing[])[]): readonly string[] {
  return [...new Set(firing.flat().map(({ alert, severity }) => `${alert} ${severity}`))].toSorted();
}
