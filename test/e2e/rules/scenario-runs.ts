import { expect } from 'vitest';
import type { ServiceStatus } from '../../../src/model/service.ts';
import type { FaultName } from '../../../src/simulator/faults/fault.ts';
import type { ScenarioName } from '../../../src/simulator/world/scenarios.ts';
import { familiesIn } from '../../../tools/generate/rules/aggregation.ts';
import { alertGroups, recordingGroups } from '../../../tools/generate/rules/rule-files.ts';
import type { GuardEnvironment } from '../guard-environment.ts';
import { differences } from './comparison.ts';
import { replay } from './prometheus-replay.ts';
import { everything, type Firing, type Recording, record, type ScenarioRun } from './recording.ts';

const families = new Set(
  [...alertGroups(), ...recordingGroups()].flatMap((group) => group.rules.flatMap(({ expr }) => familiesIn(expr))),
);

/** Incident with the alerts that report it. */
export interface ComparedRun extends ScenarioRun {
  readonly about: string;
  /** Alerts with their severities that both engines fire at some time of the run, besides the watchdog. */
  readonly fires: readonly string[];
  /** Further alerts that are true: consequences, or too brief for one of the engines. */
  readonly mayFire?: readonly string[];
  /** Runs in the campaign only, because another run fires the same alerts, or in the same way. */
  readonly isFurther?: true;
}

/** Runs of minutes. The scrape interval of the first four equals the poll interval, so that both engines evaluate the same moments. */
export const shortRuns: readonly ComparedRun[] = [
  {
    about: 'runaway queries',
    scenario: 'runaway_queries',
    minutes: 5,
    every: 5,
    nodes: 2,
    fires: ['GraphdbQueryAborted warning', 'GraphdbGuardBreakerOpen critical'],
    mayFire: ['GraphdbGuardNotReady critical'],
  },
  {
    about: 'aborts that cannot be sent',
    isFurther: true,
    scenario: 'runaway_queries',
    minutes: 6,
    every: 5,
    nodes: 1,
    cluster: { abort_auth: { bearer_token_file: '/nowhere/token' } },
    fires: ['GraphdbAbortUnconfirmed critical'],
    mayFire: ['GraphdbQueryAborted warning', 'GraphdbGuardNotReady critical'],
  },
  {
    about: 'a storm of queries',
    isFurther: true,
    scenario: 'queue_storm',
    minutes: 8,
    every: 5,
    nodes: 1,
    fires: ['GraphdbDelayQueuePressure warning'],
    mayFire: ['GraphdbQueueSaturated critical', 'GraphdbEndpointTimeouts warning'],
  },
  {
    about: 'a storm of which the servers reject half',
    isFurther: true,
    scenario: 'rejected_storm',
    minutes: 8,
    every: 15,
    nodes: 1,
    fires: ['GraphdbDelayQueuePressure warning', 'GraphdbQueueSaturated critical'],
    mayFire: ['GraphdbEndpointTimeouts warning'],
  },
  {
    about: 'an engine that flaps',
    isFurther: true,
    scenario: 'flapping',
    minutes: 6,
    every: 5,
    nodes: 2,
    fires: ['GraphdbServiceFlapping warning'],
    mayFire: ['GraphdbServiceNotOnline warning'],
  },
  {
    about: 'an unreachable node',
    scenario: 'node_outage',
    minutes: 5,
    every: 5,
    nodes: 2,
    fires: ['GraphdbNodeUnreachable critical', 'GraphdbServiceNotOnline warning', 'GraphdbGuardBlind critical'],
    mayFire: ['GraphdbCollectorBlind warning', 'GraphdbPartitionUnavailable warning'],
  },
  {
    about: 'a full disk, at six times the speed',
    scenario: 'disk_full',
    minutes: 6,
    every: 15,
    nodes: 1,
    speed: 6,
    fires: ['GraphdbServiceReadonly critical'],
    mayFire: ['GraphdbDiskFilling critical'],
  },
  {
    about: 'a disk that is full for one minute',
    isFurther: true,
    scenario: 'disk_full',
    minutes: 5,
    every: 5,
    nodes: 2,
    speed: 15,
    fires: ['GraphdbDiskFilling critical'],
    mayFire: ['GraphdbServiceReadonly critical'],
  },
  {
    about: 'a store that is cleared',
    isFurther: true,
    scenario: 'cleared_store',
    minutes: 4,
    every: 10,
    nodes: 1,
    fires: ['GraphdbGraphShrunk critical'],
  },
  {
    about: 'a change of the schema that breaks queries, and that a node misses',
    scenario: 'schema_change',
    minutes: 8,
    every: 10,
    nodes: 2,
    fires: [
      'GraphdbFunctionChanged warning',
      'GraphdbQueryUnusable warning',
      'GraphdbQueryDisappeared warning',
      'GraphdbSchemaVersionsDiffer warning',
      'GraphdbVectorIndexesNotReady warning',
    ],
  },
  {
    about: 'bad input of loading jobs',
    isFurther: true,
    scenario: 'bad_load',
    minutes: 8,
    every: 10,
    nodes: 1,
    fires: [
      'GraphdbLoadingJobFailed warning',
      'GraphdbLoadingRejectsLines warning',
      'GraphdbLoadingStalled warning',
      'GraphdbStatementFailed warning',
    ],
  },
  {
    about: 'failed logins, a new superuser and a destructive privilege',
    isFurther: true,
    scenario: 'new_superuser',
    minutes: 4,
    every: 10,
    nodes: 1,
    fires: ['GraphdbNewSuperuser warning', 'GraphdbDestructivePrivilegeGranted warning', 'GraphdbFailedLogins warning'],
  },
  {
    about: 'the first faults of a server',
    isFurther: true,
    scenario: 'bad_server',
    minutes: 3,
    every: 15,
    nodes: 1,
    fires: ['GraphdbNodeUnreachable critical', 'GraphdbCollectorBlind warning', 'GraphdbGuardBlind critical'],
    // Collectors that poll every two minutes or less often report a rejection for so long.
    mayFire: ['GraphdbAuthFailed warning'],
  },
  // Before its first fault, a run below is calm as well.
  { about: 'a calm cluster, for some minutes', isFurther: true, scenario: 'calm', minutes: 4, every: 15, fires: [] },
  {
    about: 'single garbled answers',
    scenario: 'calm',
    minutes: 5,
    every: 5,
    nodes: 1,
    actions: {
      60: garble('hostile_labels', '/informant/current-service-status'),
      90: garble('conflicting_families', '/informant/metrics'),
      120: garble('truncated_json', '/restpp/showprocesslistall'),
    },
    fires: [],
  },
  {
    // 20 s of two minutes are far above the error budget, but not of an hour.
    about: 'a restart of an engine and of graphwarden, under a Prometheus that has just started',
    scenario: 'calm',
    minutes: 4,
    every: 5,
    nodes: 2,
    actions: { 60: setEngine('Down'), 80: setEngine('Online'), 120: (environment) => environment.restart() },
    fires: [],
  },
  {
    about: 'a guard that is paused for some minutes',
    isFurther: true,
    scenario: 'calm',
    minutes: 4,
    every: 15,
    nodes: 1,
    begin: pauseGuard,
    fires: [],
  },
];

/** Scenarios that {@link shortRuns} run on as few nodes as they need, and {@link longRuns} on three. */
const onThreeNodes: readonly ScenarioName[] = ['runaway_queries', 'queue_storm', 'flapping', 'node_outage'];

/** For runs of up to an hour about other collectors: polling inventories every 10 s takes almost half of their processor time. */
export const inventoryInterval = '5m';

/** Runs of `npm run test:campaign`. */
export const longRuns: readonly ComparedRun[] = [
  ...shortRuns
    .filter(({ scenario }) => onThreeNodes.includes(scenario))
    .map((run) => ({ ...run, about: `${run.about}, on three nodes`, nodes: 3, minutes: 10 })),
  {
    about: 'a disk that fills up within minutes, until space is freed and the alert resolves',
    scenario: 'disk_full',
    minutes: 35,
    every: 15,
    nodes: 2,
    inventoryInterval,
    fires: ['GraphdbServiceReadonly critical', 'GraphdbDiskFilling critical'],
    mayFire: ['GraphdbDiskFilling warning'],
  },
  {
    about: 'a disk that fills up so slowly that the forecast warns first',
    scenario: 'disk_full',
    minutes: 55,
    every: 15,
    nodes: 2,
    inventoryInterval,
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
    // Collectors that poll every two minutes or less often report a rejection for so long.
    mayFire: ['GraphdbAuthFailed warning'],
  },
];

/** Firing alerts of a run in each engine, scrape by scrape. */
export interface FiringByEngine {
  readonly graphwarden: Recording['firing'];
  readonly prometheus: Recording['firing'];
  readonly polled: Recording['polled'];
}

/** Runs a scenario in graphwarden and replays the recorded metrics in Prometheus. */
export async function runBoth(run: ScenarioRun): Promise<FiringByEngine> {
  const recording = await record(run, families);
  return { graphwarden: recording.firing, prometheus: await replay(recording), polled: recording.polled };
}

/** Checks that both engines fire the same incidents: those of {@link ComparedRun.fires}, and no false ones. */
export async function expectSameIncidents(run: ComparedRun): Promise<void> {
  const { graphwarden, prometheus, polled } = await runBoth(run);
  if (run.scenario === 'calm') expect(polled).toEqual(everything);
  expect(differences(graphwarden, prometheus, run.every)).toEqual([]);
  const { fires, mayFire = [] } = run;
  for (const firing of [graphwarden, prometheus]) {
    const names = namesIn(firing).filter((name) => !mayFire.includes(name) || fires.includes(name));
    expect(names).toEqual([...fires, 'GraphwardenWatchdog info'].toSorted());
  }
}

/** Spoils the next answer of the server to a request, and no other. */
function garble(fault: FaultName, path: string) {
  return async (environment: GuardEnvironment): Promise<void> => {
    const { simulator, clock } = environment;
    const count = (): number => simulator.calls().filter((call) => call.path === path).length;
    const before = count();
    const remove = await clock.through(simulator.control.injectFault(fault, { path }));
    while (count() === before) await environment.run(250);
    await clock.through(remove());
  };
}

/** Sets the status of every replica of the graph engine. */
function setEngine(status: ServiceStatus) {
  return ({ simulator: { control } }: GuardEnvironment): void => {
    for (const replica of ['1', '2']) control.setService('GPE', '1', replica, status);
  };
}

/** Pauses the guard by API. */
export function pauseGuard({ daemon }: GuardEnvironment): void {
  daemon().app.pauseGuard();
}

/** Returns every alert that fired at any time, with its severity. */
export function namesIn(firing: readonly (readonly Firing[])[]): readonly string[] {
  return [...new Set(firing.flat().map(({ alert, severity }) => `${alert} ${severity}`))].toSorted();
}
