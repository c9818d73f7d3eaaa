import { describe, expect, it } from 'vitest';
import type { FindingKind } from '../../../../campaigns/races/findings.ts';
import { needlessPauses, otherGuardViolations } from '../../../../campaigns/races/oracle/other-guard.ts';
import type { Fault } from '../../../../campaigns/races/plan/plan.ts';
import type { SimulationLog } from '../../../../campaigns/races/simulation/log.ts';
import type { Outcome } from '../../../../src/guard/decision/decision.ts';
import { abortOf, queryOf, recordedRunOf } from '../logs.ts';

/** Aborts, 5 s apart, of which the outcomes are known 3 s later. */
function kinds(
  outcomes: readonly Outcome[],
  log: Partial<SimulationLog> = {},
  fault: Fault = 'another guard aborts first',
): readonly FindingKind[] {
  const aborts = outcomes.map((_, index) => abortOf({ sentAt: index * 5000 }, { key: `${index}` }));
  const ends = outcomes.map((outcome, index) => ({ key: `${index}`, outcome, at: index * 5000 + 3000 }));
  const faultPeriods = [{ fault, from: 0, to: 90_000, share: 1 }];
  return otherGuardViolations(recordedRunOf({ aborts, outcomes: ends, ...log }, { faultPeriods })).map(
    ({ kind }) => kind,
  );
}

const pause = { at: 38_000, isPaused: true, isForOtherGuard: true } as const;
const lost: Outcome = 'finished_first';

function repeat(count: number): readonly Outcome[] {
  return Array.from({ length: count }, () => lost);
}

function needless(fault: Fault, pauses: SimulationLog['pauses']): number {
  return needlessPauses(recordedRunOf({ pauses }, { faultPeriods: [{ fault, from: 0, to: 90_000, share: 1 }] }));
}

describe('the oracle of a second guard', () => {
  it('finds an abort after eight that another guard did first', () => {
    expect(kinds(repeat(9))).toEqual(['not paused']);
    expect(kinds(repeat(8))).toEqual([]);
    expect(kinds([lost, 'confirmed', ...repeat(7), 'confirmed'])).toEqual([]);
  });

  it('returns no finding if the guard pauses itself, if the process ends, or if the queries reach their timeouts', () => {
    const all = repeat(9);
    expect(kinds(all, { pauses: [pause] })).toEqual([]);
    expect(kinds(all, { downtimes: [{ from: 39_000, to: 39_500 }] })).toEqual([]);
    expect(kinds(all, { downtimes: [{ from: 15_000, to: 16_000 }] })).toEqual([]);
    expect(kinds(all, { queries: [queryOf({ grantedTimeout: 5000, beganAt: 0 })] })).toEqual([]);
  });

  it('counts pauses without a second guard', () => {
    expect(needless('list is slow', [pause])).toBe(1);
    expect(needless('list is slow', [{ at: 1, isPaused: true }])).toBe(0);
    expect(needless('another guard aborts first', [pause])).toBe(0);
  });
});
