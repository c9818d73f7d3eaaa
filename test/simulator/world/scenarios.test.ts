import { describe, expect, it } from 'vitest';
import { faultNames } from '../../../src/simulator/faults/fault.ts';
import { type Phase, type ScenarioName, scenarioNames, scenarios } from '../../../src/simulator/world/scenarios.ts';

function phases(name: ScenarioName): readonly Phase[] {
  return scenarios[name].phases;
}

describe('the scenarios', () => {
  it.each(scenarioNames)('%s has a description and phases with a duration', (name) => {
    expect(scenarios[name].about).toMatch(/^[A-Z].*\.$/);
    expect(phases(name).length).toBeGreaterThan(0);
    expect(phases(name).every(({ duration }) => duration >= 1_000)).toBe(true);
  });

  it('are exactly those of the list', () => {
    expect(Object.keys(scenarios)).toEqual([...scenarioNames]);
  });

  it('show an incident within half a minute, except on a calm day', () => {
    for (const name of scenarioNames.filter((one) => one !== 'calm' && one !== 'bad_server')) {
      const [quiet, incident] = phases(name);
      expect(quiet?.duration).toBeLessThanOrEqual(30_000);
      expect(Object.keys(incident ?? {}).length).toBeGreaterThan(1);
    }
    expect(phases('calm').every((phase) => Object.keys(phase).length === 1)).toBe(true);
  });

  it('inject every fault', () => {
    expect(phases('bad_server').map(({ fault }) => fault)).toEqual([...faultNames]);
  });

  it('restart an engine with all its statuses', () => {
    const statuses = phases('flapping').map((phase) =>
      phase.statuses?.map(({ service, status }) => `${service} ${status}`),
    );
    expect(statuses).toEqual([undefined, ['GPE Down'], ['GPE Starting'], ['GPE Warmup']]);
  });

  it('free the disk that they filled', () => {
    expect(phases('disk_full').map(({ filling }) => filling?.to)).toEqual([undefined, 1, 1, undefined]);
  });

  it('start the stopped host again', () => {
    expect(phases('node_outage').map(({ stopped }) => stopped)).toEqual([
      undefined,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
