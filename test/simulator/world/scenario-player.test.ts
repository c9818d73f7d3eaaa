import { describe, expect, it } from 'vitest';
import { runEventsUntil } from '../../../src/simulator/world/event-source.ts';
import { ScenarioPlayer } from '../../../src/simulator/world/scenario-player.ts';
import type { ScenarioName } from '../../../src/simulator/world/scenarios.ts';

function directed(scenario: ScenarioName, speed = 1): { director: ScenarioPlayer; log: string[] } {
  const log: string[] = [];
  const director = new ScenarioPlayer({ scenario, speed, at: 0 }, (at, before, { phase }) => {
    log.push(`${at}: ${before.statuses?.[0]?.status ?? 'calm'} → ${phase.statuses?.[0]?.status ?? 'calm'}`);
  });
  return { director, log };
}

describe('ScenarioPlayer', () => {
  it('repeats the phases', () => {
    const { director, log } = directed('flapping');
    runEventsUntil([director], 70_000);
    expect(log).toEqual([
      '25000: calm → Down',
      '33000: Down → Starting',
      '37000: Starting → Warmup',
      '45000: Warmup → calm',
      '70000: calm → Down',
    ]);
    expect(director.activePhase).toMatchObject({ from: 70_000, until: 78_000 });
  });

  it('runs at a multiple of the speed', () => {
    const { director } = directed('flapping', 10);
    expect(director.nextEventAt()).toBe(2_500);
    runEventsUntil([director], 2_500);
    expect(director.activePhase).toMatchObject({ from: 2_500, until: 3_300 });
  });

  it('uses whole milliseconds at any speed', () => {
    expect(directed('flapping', 7).director.nextEventAt()).toBe(3_572);
  });

  it('starts another scenario from its beginning, and ends the current phase', () => {
    const { director, log } = directed('flapping');
    runEventsUntil([director], 30_000);
    director.play('node_outage', 30_500);
    expect(director.scenario).toBe('node_outage');
    expect(log.at(-1)).toBe('30500: Down → calm');
    expect(director.nextEventAt()).toBe(60_500);
  });
});
