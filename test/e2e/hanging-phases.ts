import type { Millis } from '../../src/kernel/time.ts';
import type { FaultName } from '../../src/simulator/faults/fault.ts';
import { type ScenarioName, scenarios } from '../../src/simulator/world/scenarios.ts';

/** Faults with which no request gets a reply, so that a clock need not wait for one. */
const hanging: readonly FaultName[] = ['hang_before_headers', 'hang_before_body', 'hang_within_body', 'slow_drip'];

/** Returns whether the phase of a scenario after so long has one of these faults. */
export function isHanging(scenario: ScenarioName, passed: Millis): boolean {
  let end = 0;
  const phase = scenarios[scenario].phases.find(({ duration }) => {
    end += duration;
    return passed < end;
  });
  return phase?.fault !== undefined && hanging.includes(phase.fault);
}
