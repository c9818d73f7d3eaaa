import { expect, it } from 'vitest';
import { notificationsTo } from '../../../../campaigns/crash/oracle/notified-incidents.ts';
import {
  alertmanagerNotification,
  digestLine,
  line,
  pagerdutyNotification,
  runsOf,
  slackNotification,
} from '../evidence-builders.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;

it('notified incidents › uses the same id of an incident for each receiver', () => {
  const id = notificationsTo('pagerduty', [pagerdutyNotification(1000, trigger)], runsOf(1))[0]?.incident;
  const lines = [
    line(trigger, '10:00:01'),
    line(resolve, '10:00:01', '10:00:02'),
    digestLine(7, '10:00:01', '10:00:02'),
  ];
  const reported = notificationsTo('slack', [slackNotification(2000, lines)], runsOf(1));
  expect(reported).toMatchObject([
    { incident: id, action: 'trigger', episode: 7, instance: 'GPE_1#1' },
    { incident: id, action: 'resolve', episode: 7, instance: 'GPE_1#1' },
    { incident: id, action: 'folded', episode: 7, instance: 'GPE_1#1' },
  ]);
});

it('notified incidents › skips notifications that name no incident', () => {
  const lines = [
    'Nothing could be delivered here since 2026-03-01 10:00:00 UTC; 1 incident began and ended meanwhile.',
    'STILL FIRING warning: GPE_1#1 of c is Down (abc-7)',
    '… and 3 older',
  ];
  expect(notificationsTo('slack', [slackNotification(1000, lines)], runsOf(1))).toEqual([]);
});

it('notified incidents › uses the labels of Alertmanager and the number of the incident as its id', () => {
  const reported = notificationsTo(
    'alertmanager',
    [alertmanagerNotification(1000, trigger), alertmanagerNotification(2000, resolve)],
    runsOf(1),
  );
  expect(reported.map(({ action, incident }) => [action, incident])).toEqual([
    ['trigger', 'instance="GPE_1#1" 7'],
    ['resolve', 'instance="GPE_1#1" 7'],
  ]);
});

it('notified incidents › returns the run and the receiver of each incident', () => {
  const notifications = [
    pagerdutyNotification(1000, trigger),
    slackNotification(2000, [line(trigger, '10:00:02')]),
    pagerdutyNotification(12_000, resolve),
  ];
  expect(notificationsTo('pagerduty', notifications, runsOf(2)).map(({ run, action }) => [run, action])).toEqual([
    [0, 'trigger'],
    [1, 'resolve'],
  ]);
});
