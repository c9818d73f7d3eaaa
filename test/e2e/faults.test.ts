import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { FailureReason } from '../../src/kernel/failure.ts';
import { faultNames } from '../../src/simulator/faults/fault.ts';
import { isCampaign } from '../support/campaign.ts';
import type { Page } from '../support/in-process-daemon.ts';
import type { LogLine } from '../support/logger.ts';
import {
  affectedTargets,
  type CollectorTarget,
  delayedTargets,
  type FaultCase,
  faultCases,
  withExhaustedTime,
  withReportedError,
} from './fault-cells.ts';
import { FaultEnvironment, keyOf } from './fault-environment.ts';
import { expectedReasons, toleratedFaults } from './fault-outcomes.ts';
import {
  actualUp,
  collectorValues,
  contentOf,
  expectedContent,
  expectedSuccess,
  expectedUp,
  familiesOf,
  newFailures,
} from './fault-page.ts';

const fails = 'collector failed';
/** Number of parts of the collectors of which each fault has one in the short form, in turn. */
const share = isCampaign() ? 1 : 6;
/** The long form has all faults, and the short form one of each reason. */
const faults = expectedReasons
  .filter(([, reason], at) => isCampaign() || expectedReasons.findIndex(([, other]) => other === reason) === at)
  .map(([fault, reason], round) => [fault, reason, round] as const);

let setup: FaultEnvironment;

beforeAll(async () => {
  setup = await FaultEnvironment.start(faultCases(0, share));
});

afterAll(() => setup.stop());

beforeEach(() => setup.recover());

describe('a fault in two collectors per cluster, and in whole nodes', () => {
  it.each(faults)(
    '%s fails the poll with reason %s; other collectors continue, and recovery takes at most an interval',
    async (fault, reason, round) => {
      // Only a whole node can refuse connections.
      const aimed = (await setup.target(faultCases(round, share)))
        .filter(({ path }) => fault !== 'connection_refused' || path.test('/'))
        .map((one) => (fault === 'error_true_200' ? withReportedError(one) : one));
      const where = reason === 'timeout' ? aimed.map(withExhaustedTime) : aimed;
      const cycle = (): Promise<void> =>
        reason === 'timeout' ? setup.runHangingPollCycle(where, fault === 'slow_drip') : setup.runPollCycle();
      const from = setup.daemon.log.length;
      const before = await setup.daemon.page();

      const heal = await setup.inject(fault, where);
      onTestFinished(heal);
      await cycle();
      await setup.shows((page) => expectUnhealthy(page, before, { where, reason }));
      await cycle();
      await heal();

      await expectRecovery(where);
      await setup.recover();
      // While a server drips, time passes, and queries start and end.
      const shape = fault === 'slow_drip' ? familiesOf : contentOf;
      await setup.shows((page) => expect(shape(page)).toEqual(shape(before)));
      const logged = setup.daemon.log.slice(from).map(lineOf).toSorted();
      expect(logged).toEqual(oneLinePerChange(aimed, where, reason).toSorted());
    },
  );
});

interface UnhealthyState {
  readonly where: readonly FaultCase[];
  readonly reason: FailureReason;
}

function expectUnhealthy(page: Page, before: Page, { where, reason }: UnhealthyState): void {
  const struck = where.flatMap(affectedTargets).map(keyOf);
  expect(collectorValues(page, 'graphwarden_collector_success')).toEqual(expectedSuccess(before, where));
  expect(newFailures(page, before)).toEqual(Object.fromEntries(struck.map((target) => [`${target}/${reason}`, 1])));
  expect(contentOf(page)).toEqual(expectedContent(before, where));
  expect(actualUp(page)).toEqual(expectedUp(before, where));
}

/** Checks that each failed collector recovers within the interval that applied when the fault ended. */
async function expectRecovery(where: readonly FaultCase[]): Promise<void> {
  const healed = await setup.daemon.page();
  const healedAt = setup.clock.now().mono;
  const intervals = collectorValues(healed, 'graphwarden_collector_interval_seconds');
  let unhealthy = where.flatMap(affectedTargets).map(keyOf);
  while (unhealthy.length > 0) {
    await setup.runPollCycle();
    const passed = (setup.clock.now().mono - healedAt) / 1000;
    await setup.shows((page) => {
      const success = collectorValues(page, 'graphwarden_collector_success');
      unhealthy = unhealthy.filter((target) => success.get(target) !== 1);
      expect(unhealthy.filter((target) => passed >= (intervals.get(target) ?? 1))).toEqual([]);
    });
  }
}

/** Returns one line for the begin and one for the end of each fault, and one for each change of the source node. */
function oneLinePerChange(
  aimed: readonly FaultCase[],
  where: readonly FaultCase[],
  reason: FailureReason,
): readonly string[] {
  return [
    ...where
      .flatMap(affectedTargets)
      .flatMap((target) => [line(fails, target, reason), line('collector recovered', target)]),
    ...aimed.flatMap(delayedTargets).map((target) => line('cluster source node changed', target)),
  ];
}

function lineOf({ message, fields }: LogLine): string {
  const { cluster, collector, node, reason } = fields;
  return [message, cluster, collector, node, message === fails ? reason : ''].join(' ');
}

function line(message: string, { cluster, collector, node }: CollectorTarget, reason = ''): string {
  return [message, cluster, collector, node, reason].join(' ');
}

it('faults › has an expected outcome for every fault', () => {
  expect([...expectedReasons.map(([fault]) => fault), ...toleratedFaults].toSorted()).toEqual(
    [...faultNames].toSorted(),
  );
});
