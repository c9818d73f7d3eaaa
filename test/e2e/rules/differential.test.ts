import { describe, expect, it } from 'vitest';
import { familiesIn } from '../../../generate/rules/aggregation.ts';
import { leastKeeping } from '../../../generate/rules/catalogue-alerts.ts';
import { alertGroups, recordGroups } from '../../../generate/rules/files.ts';
import { alertName } from '../../../src/alert/identity.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { scenarioNames } from '../../../src/simulator/world/scenarios.ts';
import { findTool } from '../../support/tools.ts';
import type { Stage } from '../guard-stage.ts';
import { episodesOf, type Stretch } from './episodes.ts';
import { type Firing, type Play, record } from './recording.ts';
import { replay } from './replay.ts';

const promtool = findTool('promtool');
const families = new Set(
  [...alertGroups(), ...recordGroups()].flatMap((group) => group.rules.flatMap(({ expr }) => familiesIn(expr))),
);
const catalogue = new Map(rules.map((rule) => [alertName(rule), rule]));

/**
 * Alerts about one abort carry its request and its moment, which no series may: there would be one for each request. To
 * Prometheus all aborts of a policy on a node are one alert. These are the only two.
 */
const perRequest: readonly string[] = ['query_aborted', 'abort_unconfirmed'];
const ofRequest = ['graph', 'query', 'request_id', 'intent_at'];

/** As often as graphwarden looks itself, so that both see the same moments; less often where it takes long. */
const plays: readonly Play[] = [
  { scenario: 'runaway_queries', minutes: 10, every: 5 },
  { scenario: 'queue_storm', minutes: 8, every: 5 },
  { scenario: 'flapping', minutes: 6, every: 5 },
  { scenario: 'node_outage', minutes: 10, every: 5 },
  { scenario: 'disk_full', minutes: 20, every: 15 },
];

/**
 * Its faults take turns every twelve seconds, which is less than edges may be apart: that the same alerts fire is no
 * chance, when they begin and end is. Answers of a hundred megabytes take their time.
 */
const restless: Play = { scenario: 'bad_server', minutes: 7, every: 15, nodes: 1 };

/** In scrapes. */
interface Tolerance {
  /** How far the edges of an episode may be apart: twice the times between scrapes and evaluations, and the hold. */
  readonly edge: number;
  /** How much longer Prometheus keeps an alert, so that a scrape that fails does not end it. */
  readonly keeps: number;
}

function toleranceFor(alert: string, every: number): Tolerance {
  const { hold = 0, keepFiring = 0 } = catalogue.get(alert) ?? {};
  return {
    edge: 2 * (1 + 1) + hold / 1000 / every,
    keeps: Math.max(0, leastKeeping - keepFiring) / 1000 / every,
  };
}

/** With what Prometheus can tell apart, and of the catalogue alone. */
function comparable(firing: readonly (readonly Firing[])[]): readonly (readonly Firing[])[] {
  return firing.map((alerts) =>
    alerts.filter(({ alert }) => catalogue.has(alert)).map((one) => ({ ...one, identity: identityOf(one) })),
  );
}

function identityOf({ alert, identity }: Firing): Firing['identity'] {
  if (!perRequest.includes(catalogue.get(alert)?.name ?? '')) return identity;
  return Object.fromEntries(Object.entries(identity).filter(([label]) => !ofRequest.includes(label)));
}

/** What lies closer together than the edges may be apart is one episode. */
function joined(stretches: readonly Stretch[], within: number): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const { from, to } of stretches) {
    const last = all.at(-1);
    if (last !== undefined && from - last.to <= within) all[all.length - 1] = { from: last.from, to };
    else all.push({ from, to });
  }
  return all;
}

function differences(ours: readonly (readonly Firing[])[], theirs: typeof ours, every: number): readonly string[] {
  const [one, other] = [episodesOf(comparable(ours)), episodesOf(comparable(theirs))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) => {
    const tolerance = toleranceFor(key.split(' ')[0] ?? '', every);
    const [mine, others] = [one, other].map((all) => joined(all.get(key) ?? [], tolerance.edge + tolerance.keeps));
    const told = `${key}: ${textOf(mine, every)} and ${textOf(others, every)}`;
    return isAlike(mine ?? [], others ?? [], tolerance) ? [] : [told];
  });
}

function isAlike(mine: readonly Stretch[], others: readonly Stretch[], { edge, keeps }: Tolerance): boolean {
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= edge;
  const pairs = mine.flatMap((stretch, at) => {
    const other = others[at];
    return other === undefined ? [] : [[stretch, other] as const];
  });
  return (
    mine.length === others.length &&
    pairs.every(([{ from }, other]) => isNear(from, other.from)) &&
    // The last one may go on in both when the recording ends.
    pairs.every(([{ to }, other]) => isNear(to, other.to) || isNear(to + keeps, other.to))
  );
}

function textOf(stretches: readonly Stretch[] = [], every: number): string {
  return stretches.map(({ from, to }) => `${from * every}-${to * every} s`).join(', ') || 'never';
}

function pauseGuard({ warden }: Stage): void {
  warden().app.pauseGuard();
}

describe.skipIf(promtool === undefined)('both engines', () => {
  it('are compared in every scenario', () => {
    expect(
      [...plays, restless]
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

  it('fire the same alerts where faults take turns faster than edges can be told', async () => {
    const recording = await record(restless, families);
    const [ours, theirs] = [recording.firing, replay(recording)].map(
      (firing) => new Set(comparable(firing).flatMap((all) => all.map(({ alert }) => alert))),
    );
    expect([...(theirs ?? [])].toSorted()).toEqual([...(ours ?? [])].toSorted());
    expect(ours?.size).toBeGreaterThan(3);
  }, 400_000);

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
