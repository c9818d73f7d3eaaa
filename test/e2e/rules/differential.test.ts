import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../../src/simulator/world/scenarios.ts';
import { casesOfRun } from '../../support/campaign.ts';
import { findTool } from '../../support/tools.ts';
import { expectSameIncidents, shortRuns } from './scenario-runs.ts';

describe('graphwarden and Prometheus', () => {
  it('are compared in every scenario, here or in the campaign', () => {
    const covered = new Set(shortRuns.map(({ scenario }) => scenario));
    expect([...covered].toSorted()).toEqual([...scenarioNames].toSorted());
  });

  describe.skipIf(findTool('promtool') === undefined)('with promtool', () => {
    it.each(casesOfRun(shortRuns, ({ isFurther }) => isFurther !== true))(
      'fire the same incidents and no others for $about',
      { timeout: 400_000 },
      expectSameIncidents,
    );
  });
});
