import { describe, expect, it } from 'vitest';
import { catalogueAlerts } from '../../../generate/rules/catalogue-alerts.ts';
import type { SelfRule } from '../../../src/alert/rule.ts';

const rule: SelfRule = {
  name: 'tea_cold',
  about: 'Tea is cold.',
  scope: 'self',
  severity: 'warning',
  hold: 90_000,
  keepFiring: 120_000,
  thresholds: [{ name: 'below', about: 'Warmth.', unit: 'ratio', value: 0.4 }],
  labels: ['receiver'],
  summary: 'Tea of {{receiver}} is cold',
  description: 'It has {{degrees}}.',
  twin: 'graphwarden_outbox_depth < {{below}}',
  *judge() {},
};

describe('a rule of the catalogue for Prometheus', () => {
  it('has its name, its patience, its thresholds and its severity', () => {
    expect(catalogueAlerts([rule])).toMatchObject([
      {
        alert: 'GraphwardenTeaCold',
        expr: 'max by (job, namespace, receiver) (graphwarden_outbox_depth < 0.4)',
        for: '1m30s',
        keep_firing_for: '2m',
        labels: { severity: 'warning' },
      },
    ]);
  });

  it('is one alert for each of its severities', () => {
    const two = { ...rule, otherTwins: [{ severity: 'critical', twin: 'graphwarden_outbox_depth < 0' }] } as const;
    expect(catalogueAlerts([two]).map(({ labels, expr }) => [labels.severity, expr.slice(-8)])).toEqual([
      ['warning', 'h < 0.4)'],
      ['critical', 'pth < 0)'],
    ]);
  });

  it('waits for nothing where it holds for nothing', () => {
    const [alert] = catalogueAlerts([{ ...rule, hold: 0 }]);
    expect(alert).not.toHaveProperty('for');
  });

  it('is none where no series can tell', () => {
    const { twin: _, ...silent } = rule;
    expect(catalogueAlerts([silent])).toEqual([]);
  });

  it('has texts in the language of Prometheus; what nothing stands for stays to be seen', () => {
    const [alert] = catalogueAlerts([rule]);
    expect(alert?.annotations).toEqual({
      summary: 'Tea of {{ $labels.receiver }} is cold',
      description: 'It has {{degrees}}.',
      runbook_url: 'https://github.com/graphwarden/graphwarden/blob/main/docs/runbook.md#tea_cold',
      dashboard_url: '/d/graphwarden-graphwarden',
    });
  });
});
