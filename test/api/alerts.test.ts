import { expect, it } from 'vitest';
import { alertSchema, createdSilenceSchema, silencePreviewSchema, silenceSchema } from '../../src/api/alerts.ts';
import { describeObject, exampleOf } from './object-cases.ts';

describeObject('alert', alertSchema, [
  { rule: 7 },
  { rule: '' },
  { phase: 'over' },
  { severity: 'page' },
  { startsAt: 'soon' },
  { episode: -1 },
  { labels: { node: 7 } },
  { endsAt: '' },
]);

describeObject('silence', silenceSchema, [
  { id: '' },
  { endsAt: 7 },
  { startsAt: '' },
  { matchers: ['node="m1"', 7] },
  { matchers: 'node="m1"' },
]);

describeObject('created silence', createdSilenceSchema, [{ id: '' }, { matchedAlerts: -1 }, { alerts: [{}] }]);

describeObject('silence preview', silencePreviewSchema, [{ matchedAlerts: 0.5 }, { alerts: {} }, { warnings: [7] }]);

it('alert schema › accepts an alert that is resolved, silenced, inhibited or in maintenance', () => {
  const endsAt = '2026-01-31T14:00:00.000Z';
  for (const change of [{ endsAt }, { silencedBy: 's1' }, { inhibitedBy: 'k' }, { maintenance: 'sunday' }]) {
    expect(alertSchema.parse({ ...exampleOf(alertSchema), ...change })).toMatchObject(change);
  }
});
