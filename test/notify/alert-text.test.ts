import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/model/alert.ts';
import {
  alertText,
  alertTexts,
  annotationsWithEffects,
  furtherAlerts,
  type Occasion,
  requestState,
  sortAlerts,
  withEnd,
} from '../../src/notify/alert-text.ts';
import { alertStart, alertsNotification, firingAlert, resolvedAlert } from '../support/notifications.ts';

const trigger: Occasion = { isReminder: false };
const effect = {
  rule: 'service_not_online',
  severity: 'warning',
  summary: 'GPE_1#2 is Down',
  startsAt: alertStart,
} as const;

function withAnnotations(annotations: Alert['annotations'], more: Partial<Alert> = {}): Alert {
  return firingAlert({ ...more, annotations: { ...firingAlert().annotations, ...annotations } });
}

describe('text of an alert', () => {
  it.each<[Alert, Occasion, string]>([
    [firingAlert(), trigger, 'FIRING critical'],
    [firingAlert({ severity: 'warning' }), { isReminder: true }, 'STILL FIRING warning'],
    [firingAlert(), { isReminder: false, isUpdate: true }, 'UPDATED critical'],
    [firingAlert(), { isReminder: false, acknowledgement: 'acknowledged' }, 'ACKNOWLEDGED critical'],
    [firingAlert(), { isReminder: false, acknowledgement: 'unacknowledged' }, 'UNACKNOWLEDGED critical'],
    [resolvedAlert(), trigger, 'RESOLVED critical after 3m'],
    [resolvedAlert({ endsAt: alertStart + 3_905_000 }), trigger, 'RESOLVED critical after 1h 5m'],
  ])('has the state $2', (alert, occasion, state) => {
    expect(alertText(alert, occasion, 'full').state).toBe(state);
  });

  it('describes a firing alert, and who acknowledged it', () => {
    const alert = withAnnotations({ acknowledgement: 'by ada at 2026-09-22 04:51:00 UTC: new disk' });
    expect(alertText(alert, trigger, 'full').paragraphs).toEqual([
      'Acknowledged by ada at 2026-09-22 04:51:00 UTC: new disk.',
      'It went down at 04:50.',
    ]);
    const withdrawn = alertText(firingAlert(), { ...trigger, acknowledgement: 'unacknowledged' }, 'full');
    expect(withdrawn.paragraphs[0]).toBe('The acknowledgement is withdrawn. Reminders resume.');
  });

  it('describes a resolved alert by the state after it and by its length', () => {
    const { annotations } = withAnnotations({ current_state: 'GPE_1#1 is Online.' });
    const { paragraphs, period } = alertText(resolvedAlert({ annotations }), trigger, 'full');
    expect(paragraphs).toEqual(['GPE_1#1 is Online.']);
    expect(period).toBe('since 2026-09-22 04:50:00 UTC, until 2026-09-22 04:53:00 UTC (3m)');
  });

  it('names a former cause', () => {
    const formerCause = { rule: 'r', summary: 'Node m1 is down', startsAt: 0, endsAt: alertStart };
    expect(alertText(firingAlert({ formerCause }), trigger, 'full').paragraphs[0]).toBe(
      'The first cause, «Node m1 is down», ended at 2026-09-22 04:50:00 UTC.',
    );
  });

  it('lists effects and related events', () => {
    const effects = { count: 3, listed: [effect, { ...effect, summary: '' }] };
    const alert = withAnnotations(
      { related_events: 'm2 failed its health check 4s before\nm3 passed its health check again 1s before' },
      { effects },
    );
    expect(alertText(alert, trigger, 'full').lists).toEqual([
      {
        title: 'Effects (3)',
        items: [
          'warning: GPE_1#2 is Down, since 04:50:00 UTC',
          'warning: service_not_online, since 04:50:00 UTC',
          '… and 1 more',
        ],
      },
      {
        title: 'Shortly before or after',
        items: ['m2 failed its health check 4s before', 'm3 passed its health check again 1s before'],
      },
    ]);
    expect(annotationsWithEffects(alert).effects?.split('\n')).toHaveLength(3);
    expect(annotationsWithEffects(firingAlert())).toEqual(firingAlert().annotations);
  });

  it('links the incident, the runbook and the dashboard, but no other kind of address', () => {
    expect(alertText(firingAlert(), trigger, 'full').links.map(({ text }) => text)).toEqual([
      'Incident',
      'Runbook',
      'Dashboard',
    ]);
    const odd = withAnnotations({ runbook_url: 'javascript:alert(1)', dashboard_url: '' }, { generatorUrl: '/x' });
    expect(alertText(odd, trigger, 'full').links).toEqual([]);
  });

  it.each(['short', 'minimal'] as const)('in %s form has headline, period and incident only', (detail) => {
    const text = alertText(firingAlert(), trigger, detail);
    expect(text).toMatchObject({ paragraphs: [], lists: [], labels: '', links: [], id: 'a1b2c3d4e5f6-3' });
    expect(text.headline).toBe(detail === 'short' ? 'GPE_1#1 on m1 is down' : 'GraphdbServiceNotOnline prod');
  });
});

describe('request with several alerts', () => {
  const info = firingAlert({ severity: 'info', key: 'i' });
  const later = firingAlert({ startsAt: alertStart + 1, key: 'l' });
  const request = alertsNotification(resolvedAlert({ key: 'r' }), info, later, firingAlert());

  it('is sorted: firing before resolved, then by severity, then the oldest', () => {
    expect(sortAlerts(request.alerts).map(({ key }) => key.slice(0, 2))).toEqual(['a1', 'l', 'i', 'r']);
    expect(alertTexts(request, 'short').map(({ state }) => state)).toEqual([
      'FIRING critical',
      'FIRING critical',
      'FIRING info',
      'RESOLVED critical after 3m',
    ]);
  });

  it('has a state with the number of alerts of each severity', () => {
    expect(requestState(request)).toBe('FIRING 2 critical, 1 info, RESOLVED 1');
    expect(requestState({ ...alertsNotification(info, later), isReminder: true })).toBe(
      'STILL FIRING 1 critical, 1 info',
    );
    expect(requestState(alertsNotification(resolvedAlert(), resolvedAlert({ key: 'x' })))).toBe(
      'RESOLVED 2 critical after 3m',
    );
    expect(requestState(alertsNotification(resolvedAlert()))).toBe('RESOLVED critical after 3m');
    expect(requestState(alertsNotification())).toBe('');
    expect([furtherAlerts(request), furtherAlerts(alertsNotification(info))]).toEqual([' (and 3 more)', '']);
  });
});

it('withEnd cuts the text and never the end', () => {
  expect(withEnd('abc', ' (1)', 10)).toBe('abc (1)');
  expect(withEnd('abcdefghij', ' (1)', 10)).toBe('abcde… (1)');
  expect(withEnd('abc', ' (123456789)', 5)).toBe('… (123456789)');
});
