import { describe, expect, it } from 'vitest';
import type { SelfRule } from '../../../../src/alert/rule.ts';
import { catalogAlerts } from '../../../../tools/generate/rules/catalog-alerts.ts';

const rule: SelfRule = {
  name: 'tea_cold',
  about: 'Tea is cold.',
  scope: 'self',
  severity: 'warning',
  for: 90_000,
  keepFiringFor: 120_000,
  thresholds: [{ name: 'below', about: 'Warmth.', unit: 'ratio', value: 0.4 }],
  labels: ['receiver'],
  summary: 'Tea of {{receiver}} is cold',
  description: 'It has {{degrees}}.',
  twin: 'graphwarden_outbox_depth < {{below}}',
  *evaluate() {},
};

describe('catalogAlerts', () => {
  it('returns the name, pending period, thresholds and severity of a rule', () => {
    expect(catalogAlerts([rule])).toMatchObject([
      {
        alert: 'GraphwardenTeaCold',
        expr: 'max by (job, namespace, receiver) (graphwarden_outbox_depth < 0.4)',
        for: '1m30s',
        keep_firing_for: '2m',
        labels: { severity: 'warning' },
      },
    ]);
  });

  it('returns one alert per severity', () => {
    const two = { ...rule, severityTwins: [{ severity: 'critical', twin: 'graphwarden_outbox_depth < 0' }] } as const;
    expect(catalogAlerts([two]).map(({ labels, expr }) => [labels.severity, expr.slice(-8)])).toEqual([
      ['warning', 'h < 0.4)'],
      ['critical', 'pth < 0)'],
    ]);
  });

  it('has the texts of the caller for thresholds', () => {
    const [alert] = catalogAlerts([rule], ({ name }, threshold) => `@${name}.${threshold.name}@`);
    expect(alert?.expr).toContain('graphwarden_outbox_depth < @tea_cold.below@)');
  });

  it('omits a pending period of 0', () => {
    const [alert] = catalogAlerts([{ ...rule, for: 0 }]);
    expect(alert).not.toHaveProperty('for');
  });

  it('returns no alert for a rule without an expression', () => {
    const { twin: _, ...silent } = rule;
    expect(catalogAlerts([silent])).toEqual([]);
  });

  it('fills the templates of Prometheus', () => {
    const [alert] = catalogAlerts([rule]);
    expect(alert?.annotations).toEqual({
      summary: 'Tea of {{ $labels.receiver }} is cold',
      description: 'It has {{ $value | humanizePercentage }}.',
      runbook_url: 'https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md#tea_cold',
      dashboard_url: 'http://localhost:3000/d/graphwarden-graphwarden',
    });
  });
});
