import { expect, it } from 'vitest';
import { missingIncidents, missingOutages } from '../../../../campaigns/crash/oracle/digests.ts';
import type { StatusSpan } from '../../../../campaigns/crash/oracle/served-statuses.ts';
import {
  digestLine,
  evidenceOf,
  line,
  logStart,
  pagerdutyNotification,
  slackNotification,
  statusReply,
} from '../evidence-builders.ts';

const chronicle = { receiver: 'slack', others: ['pagerduty'] };
const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;

function stretch(status: string, from: number): StatusSpan {
  return { status, from: logStart + from, until: logStart + from + 250 };
}

const served = [
  stretch('Online', 0),
  stretch('Down', 5000),
  stretch('Offline', 6000),
  stretch('Online', 9000),
  stretch('Down', 20_000),
  stretch('Online', 25_000),
];
const first = [
  slackNotification(5300, [line(trigger, '10:00:05')]),
  slackNotification(9300, [line(resolve, '10:00:05', '10:00:09')]),
];

it('digest oracle › reports an incident that another receiver was notified of and that the digests do not contain', () => {
  const notifications = [
    pagerdutyNotification(1000, trigger),
    pagerdutyNotification(1000, { ...trigger, episode: 8 }),
    slackNotification(2000, [line(trigger, '10:00:01')]),
  ];
  expect(missingIncidents(chronicle, evidenceOf({ notifications }))).toEqual([
    {
      kind: 'not in the digest',
      about: expect.stringMatching(/^slack got no notification of .*-8, and pagerduty got one$/),
    },
  ]);
  const digest = slackNotification(3000, [digestLine(8, '10:00:01', '10:00:02')]);
  expect(missingIncidents(chronicle, evidenceOf({ notifications: [...notifications, digest] }))).toEqual([]);
  expect(
    missingIncidents(chronicle, evidenceOf({ notifications: [...notifications, { ...digest, isAccepted: false }] })),
  ).toHaveLength(1);
});

it('digest oracle › reports an outage that the cluster served and that the digests do not contain', () => {
  const notifications = [...first, slackNotification(26_000, [digestLine(9, '10:00:20', '10:00:25')])];
  expect(missingOutages('GPE_1#1', served, chronicle, evidenceOf({ notifications }))).toEqual([]);
});

it.each([
  ['no receiver was notified', [], 2],
  ['the second is missing', first, 1],
  ['one line does not stand for two', [slackNotification(5300, [digestLine(7, '10:00:05', '10:00:30')])], 1],
  [
    'the line of another instance',
    [...first, slackNotification(26_000, [digestLine(9, '10:00:20', '10:00:25', 'GPE_1#2')])],
    1,
  ],
  ['a line about another time', [...first, slackNotification(26_000, [digestLine(9, '10:00:10', '10:00:11')])], 1],
  [
    'a line that was not taken',
    [...first, slackNotification(26_000, [digestLine(9, '10:00:20', '10:00:25')], { isAccepted: false })],
    1,
  ],
])('digest oracle › returns a finding if %s', (_, notifications, count) => {
  expect(missingOutages('GPE_1#1', served, chronicle, evidenceOf({ notifications }))).toHaveLength(count);
});

it('digest oracle › accepts an outage that continues an incident of a state directory that appeared late, before the first evaluation', () => {
  // The daemon that started at 10:00:15 did not know incident 7, which began at 10:00:05 and did not end.
  const incident = { action: 'trigger', episode: logStart + 5000 } as const;
  const notifications = [slackNotification(5300, [line(incident, '10:00:05')])];
  const merged = (from: number, until: number, isLate = true, killedAt = 29_000) => {
    const disturbances = [{ kind: 'disk', isLate, from: logStart + from, until: logStart + until } as const];
    const runs = [{ from: logStart + 10_000, killedAt: logStart + killedAt }, { from: logStart + killedAt }];
    const statusReplies = [statusReply(0, 15_000, 'Online'), statusReply(1, 19_500, 'Online')];
    const evidence = evidenceOf({ notifications, disturbances, runs, statusReplies });
    return missingOutages('GPE_1#1', served, chronicle, evidence);
  };
  expect(merged(15_000, 20_100)).toEqual([]);
  expect(merged(15_000, 20_100, false)).toHaveLength(1);
  expect(merged(15_000, 17_000)).toHaveLength(1);
  // The daemon is killed right after the merge, and the next one polls from 10:00:19.5 on.
  expect(merged(15_000, 17_000, true, 17_500)).toEqual([]);
  expect(merged(4000, 20_100)).toHaveLength(1);
  expect(merged(21_000, 22_000)).toHaveLength(1);
});
