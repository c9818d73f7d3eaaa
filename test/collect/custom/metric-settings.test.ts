import { expect, it } from 'vitest';
import { customMetricSection, pathField } from '../../../src/collect/custom/metric-settings.ts';

it('customMetricSection declares the metric with the label graph first', () => {
  const given = { name: 'fraud_age_seconds', help: 'Age.', unit: 'seconds', value: 'age' };
  const labels = { labels: { type: 'v_type' }, static_labels: { team: 'x' } };
  expect(customMetricSection.parse({ ...given, ...labels })).toMatchObject({
    metric: {
      name: 'fraud_age_seconds',
      type: 'gauge',
      labels: ['graph', 'type', 'team'],
      keep: false,
      essential: false,
    },
    value: { steps: ['age'] },
    labels: { type: { steps: ['v_type'] } },
    staticLabels: { team: 'x' },
  });
});

it('customMetricSection accepts a counter with a unit', () => {
  const given = { name: 'fraud_read_bytes_total', type: 'counter', help: 'Read.', unit: 'bytes', value: 'n' };
  expect(customMetricSection.parse(given)).toMatchObject({ metric: { type: 'counter', keep: true } });
});

it.each([
  'process_x',
  'nodejs_x',
  'graphwarden_x',
  'scrape_x',
  'a-b',
  'a:b',
  '1a',
  '',
  'a'.repeat(129),
  'ALERTS',
  'x_count',
])('customMetricSection refuses the name «$0»', (name) => {
  expect(customMetricSection.safeParse({ name, help: 'Help.', value: 'n' }).success).toBe(false);
});

it('pathField limits the length', () => {
  expect(pathField.safeParse('a'.repeat(501)).success).toBe(false);
});
