import { expect, it } from 'vitest';
import { openIncidentsAt } from '../../../../campaigns/crash/oracle/notified-incidents.ts';
import {
  alertmanagerNotification,
  line,
  pagerdutyNotification,
  runsOf,
  slackNotification,
} from '../evidence-builders.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;
const other = { ...trigger, instance: 'GPE_1#2' };

it('notified incident › is open after an accepted trigger without an accepted resolve', () => {
  const runs = runsOf(1);
  const notifications = [
    pagerdutyNotification(1000, other),
    pagerdutyNotification(1000, trigger),
    pagerdutyNotification(2000, resolve, { isAccepted: false }),
    slackNotification(1000, [line(trigger, '10:00:01'), line(other, '10:00:01')]),
    slackNotification(2000, [line(resolve, '10:00:01', '10:00:02')]),
    alertmanagerNotification(1000, trigger),
    alertmanagerNotification(2000, resolve),
  ];
  expect(openIncidentsAt('pagerduty', { notifications, runs })).toEqual(['GPE_1#1', 'GPE_1#2']);
  expect(openIncidentsAt('slack', { notifications, runs })).toEqual(['GPE_1#2']);
  expect(openIncidentsAt('alertmanager', { notifications, runs })).toEqual([]);
});

it('notified incident › is one incident per alert at Alertmanager: the newest notification decides', () => {
  const runs = runsOf(1);
  const later = { action: 'trigger', episode: 8 } as const;
  const begun = [alertmanagerNotification(1000, trigger), alertmanagerNotification(2000, later)];
  expect(openIncidentsAt('alertmanager', { notifications: begun, runs })).toEqual(['GPE_1#1']);
  const ended = [...begun, alertmanagerNotification(3000, { ...later, action: 'resolve' })];
  expect(openIncidentsAt('alertmanager', { notifications: ended, runs })).toEqual([]);
});
