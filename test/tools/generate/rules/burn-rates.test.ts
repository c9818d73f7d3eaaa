import { describe, expect, it } from 'vitest';
import { burnRateAlerts, recordingRulesFor } from '../../../../tools/generate/rules/burn-rates.ts';
import type { Objective } from '../../../../tools/generate/rules/objectives.ts';
import { objectives } from '../../../../tools/generate/rules/objectives.ts';

const objective: Objective = {
  name: 'tea_burning',
  series: 'pot:tea',
  measured: 'pot:tea_cold:max',
  objective: 0.99,
  identity: ['pot'],
  inputs: [{ record: 'pot:tea_cold:max', expr: 'cold' }],
  errorRatio: (window) => `avg_over_time(pot:tea_cold:max[${window}])`,
  unless: (window) => `cups_${window} < 3`,
  summary: 'Tea is cold',
  failure: 'of the cups were cold',
};

describe('burn rates', () => {
  it('have the windows, factors, severities and pending periods of the SRE workbook', () => {
    const alerts = burnRateAlerts(objective).map(({ labels: { severity, long, short }, expr, for: pending }) => [
      `${long}/${short} ${severity} ${pending}`,
      expr,
    ]);
    const ratio = 'pot:tea:error_ratio';
    expect(alerts).toEqual([
      [
        '1h/5m critical 2m',
        `${ratio}_1h > 14.4 * 0.01 and ${ratio}_5m > 14.4 * 0.01 and present_over_time(pot:tea_cold:max[30m] offset 1h) unless cups_1h < 3`,
      ],
      [
        '6h/30m critical 15m',
        `${ratio}_6h > 6 * 0.01 and ${ratio}_30m > 6 * 0.01 and present_over_time(pot:tea_cold:max[30m] offset 6h) unless cups_6h < 3`,
      ],
      [
        '1d/2h warning 1h',
        `${ratio}_1d > 3 * 0.01 and ${ratio}_2h > 3 * 0.01 and present_over_time(pot:tea_cold:max[30m] offset 1d) unless cups_1d < 3`,
      ],
      [
        '3d/6h warning 3h',
        `${ratio}_3d > 1 * 0.01 and ${ratio}_6h > 1 * 0.01 and present_over_time(pot:tea_cold:max[30m] offset 3d) unless cups_3d < 3`,
      ],
    ]);
  });

  it('describe the failures, the burn rate and the error budget', () => {
    const [fastest] = burnRateAlerts(objective);
    expect(fastest?.alert).toBe('GraphdbTeaBurning');
    expect(fastest?.annotations.description).toBe(
      '{{ $value | humanizePercentage }} of the cups were cold in the last 1h, and the rate was as high in the last 5m. The error budget of 1 % in 30 days burns 14.4 times as fast as allowed.',
    );
  });

  it('record one ratio per window, after the inputs', () => {
    const names = recordingRulesFor(objective).map(({ record }) => record);
    const ratios = ['5m', '1h', '30m', '6h', '2h', '1d', '3d'].map((window) => `pot:tea:error_ratio_${window}`);
    expect(names).toEqual(['pot:tea_cold:max', ...ratios]);
  });
});

describe('objectives', () => {
  it.each(objectives)('$name has a target between 90 % and 100 %', ({ objective: share }) => {
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(1);
  });

  it('ignore clusters with few requests', () => {
    const [endpoint] = objectives;
    const expression = 'sum_over_time(cluster_name:graphdb_endpoint_requests_per_minute:sum';
    expect(endpoint?.unless?.('1h')).toBe(`${expression}[1h:1m]) < 100`);
    expect(endpoint?.unless?.('3d')).toBe(`10 * ${expression}[3d:10m]) < 100`);
  });
});
