import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { FailureReason } from '../../src/kernel/failure.ts';
import { faultNames } from '../../src/simulator/faults/names.ts';
import type { LogLine } from '../support/logger.ts';
import type { Page } from '../support/warden.ts';
import { type Cell, cells, delayedPlaces, type Place, struckPlaces, wornOut } from './fault-cells.ts';
import { oddities, reasons } from './fault-outcomes.ts';
import {
  collectorValues,
  contentLeft,
  contentOf,
  familiesOf,
  newFailures,
  shownUp,
  wantedSuccess,
  wantedUp,
} from './fault-page.ts';
import { FaultScene, keyOf } from './fault-scene.ts';

const fails = 'reading fails';

let scene: FaultScene;

beforeAll(async () => {
  scene = await FaultScene.start(cells);
});

afterAll(() => scene.stop());

beforeEach(() => scene.calmDown());

describe('a fault that strikes each collector in a cluster of its own, and whole nodes', () => {
  it.each(reasons)('%s is %s, hurts nobody else, freezes nothing, is over in an interval', async (fault, reason) => {
    // A door cannot be closed to some paths alone.
    const aimed = (await scene.aim()).filter(({ path }) => fault !== 'connection_refused' || path.test('/'));
    const where = reason === 'timeout' ? aimed.map(wornOut) : aimed;
    const beat = (): Promise<void> =>
      reason === 'timeout' ? scene.hangingBeat(where, fault === 'slow_drip') : scene.beat();
    const from = scene.warden.log.length;
    const before = await scene.warden.page();

    const heal = await scene.inject(fault, where);
    onTestFinished(heal);
    await beat();
    await scene.shows((page) => expectIll(page, before, { where, reason }));
    await beat();
    await heal();

    await expectRecovery(where);
    await scene.calmDown();
    // While a server drips, time passes, and with it queries come and go.
    const shape = fault === 'slow_drip' ? familiesOf : contentOf;
    await scene.shows((page) => expect(shape(page)).toEqual(shape(before)));
    const told = scene.warden.log.slice(from).map(lineOf).toSorted();
    expect(told).toEqual(oneLinePerChange(aimed, where, reason).toSorted());
  });
});

interface Illness {
  readonly where: readonly Cell[];
  readonly reason: FailureReason;
}

function expectIll(page: Page, before: Page, { where, reason }: Illness): void {
  const struck = where.flatMap(struckPlaces).map(keyOf);
  expect(collectorValues(page, 'graphwarden_collector_success')).toEqual(wantedSuccess(before, where));
  expect(newFailures(page, before)).toEqual(Object.fromEntries(struck.map((place) => [`${place}/${reason}`, 1])));
  expect(contentOf(page)).toEqual(contentLeft(before, where));
  expect(shownUp(page)).toEqual(wantedUp(before, where));
}

/** Each struck reading is good again after no more than the interval that was in force when the fault ended. */
async function expectRecovery(where: readonly Cell[]): Promise<void> {
  const healed = await scene.warden.page();
  const healedAt = scene.clock.now().mono;
  const intervals = collectorValues(healed, 'graphwarden_collector_interval_seconds');
  let sick = where.flatMap(struckPlaces).map(keyOf);
  while (sick.length > 0) {
    await scene.beat();
    const passed = (scene.clock.now().mono - healedAt) / 1000;
    await scene.shows((page) => {
      const success = collectorValues(page, 'graphwarden_collector_success');
      sick = sick.filter((place) => success.get(place) !== 1);
      expect(sick.filter((place) => passed >= (intervals.get(place) ?? 1))).toEqual([]);
    });
  }
}

/** When it begins, when it is over; and where another node answers, that. Nothing else, and nothing twice. */
function oneLinePerChange(aimed: readonly Cell[], where: readonly Cell[], reason: FailureReason): readonly string[] {
  return [
    ...where.flatMap(struckPlaces).flatMap((place) => [line(fails, place, reason), line('reading works again', place)]),
    ...aimed.flatMap(delayedPlaces).map((place) => line('another node gives the facts of the whole cluster', place)),
  ];
}

function lineOf({ message, fields }: LogLine): string {
  const { cluster, collector, node, reason } = fields;
  return [message, cluster, collector, node, message === fails ? reason : ''].join(' ');
}

function line(message: string, { cluster, collector, node }: Place, reason = ''): string {
  return [message, cluster, collector, node, reason].join(' ');
}

it('every fault has its outcome', () => {
  expect([...reasons.map(([fault]) => fault), ...oddities].toSorted()).toEqual([...faultNames].toSorted());
});
