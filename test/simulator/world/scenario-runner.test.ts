import { describe, expect, it } from 'vitest';
import { runEventsUntil } from '../../../src/simulator/world/event-source.ts';
import { ScenarioRunner } from '../../../src/simulator/world/scenario-runner.ts';
import type { ScenarioName } from '../../../src/simulator/world/scenarios.ts';

function createRunner(scenario: ScenarioName, speed = 1): { runner: ScenarioRunner; log: string[] } {
  const log: string[] = [];
  const runner = new ScenarioRunner({ scenario, speed, at: 0 }, (at, before, { phase }) => {
    log.push(`${at}: ${before.statuses?.[0]?.status ?? 'calm'} → ${phase.statuses?.[0]?.status ?? 'calm'}`);
  });
  return { runner, log };
}

describe('ScenarioRunner', () => {
  it('repeats the phases', () => {
    const { runner, log } = createRunner('flapping');
    runEventsUntil([runner], 70_000);
    expect(log).toEqual([
      '25000: calm → Down',
      '33000: Down → Starting',
      '37000: Starting → Warmup',
      '45000: Warmup → calm',
      '70000: calm → Down',
    ]);
    expect(runner.activePhase).toMatchObject({ from: 70_000, until: 78_000 });
  });

  it('runs at a multiple of the speed', () => {
    const { runner } = createRunner('flapping', 10);
    expect(runner.nextEventAt()).toBe(2_500);
    runEventsUntil([runner], 2_500);
    expect(runner.activePhase).toMatchObject({ from: 2_500, until: 3_300 });
  });

  it('uses whole milliseconds at any speed', () => {
    expect(createRunner('flapping', 7).runner.nextEventAt()).toBe(3_572);
  });

  it('starts another scenario from its beginning, and ends the current phase', () => {
    const { runner, log } = createRunner('flapping');
    runEventsUntil([runner], 30_000);
    runner.start('node_outage', 30_500);
    expect(runner.scenario).toBe('node_outage');
    expect(log.at(-1)).toBe('30500: Down → calm');
    expect(runner.nextEventAt()).toBe(60_500);
  });
});
