import { expect, it } from 'vitest';
import { checkEvidence } from '../../../../campaigns/crash/oracle/check.ts';
import {
  digestLine,
  evidenceOf,
  line,
  logStart,
  pagerdutyNotification,
  slackNotification,
  statusReply,
} from '../evidence-builders.ts';

const who = {
  receivers: ['pagerduty', 'slack'],
  digests: { receiver: 'slack', others: ['pagerduty'] },
  instances: ['GPE_1#1'],
};
const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;
const statusReplies = [
  statusReply(0, 0, 'Online'),
  statusReply(0, 250, 'Online'),
  statusReply(0, 1000, 'Down'),
  statusReply(0, 1250, 'Down'),
  statusReply(0, 5000, 'Online'),
  statusReply(0, 5250, 'Online'),
];
const timeline = [
  { at: logStart + 10, instance: 'GPE_1#1', to: 'Online' },
  { at: logStart + 1010, instance: 'GPE_1#1', to: 'Down' },
  { at: logStart + 5010, instance: 'GPE_1#1', to: 'Online' },
];
const pages = [pagerdutyNotification(1100, trigger), pagerdutyNotification(5100, resolve)];
const posts = [
  slackNotification(1100, [line(trigger, '10:00:01')]),
  slackNotification(5100, [line(resolve, '10:00:01', '10:00:05')]),
];

it('crash oracle › returns no finding if all receivers were notified and the timeline is complete', () => {
  const evaluation = checkEvidence(who, evidenceOf({ statusReplies, timeline, notifications: [...pages, ...posts] }));
  expect(evaluation).toMatchObject({ findings: [], spans: 3, missedReplies: 0 });
  expect(evaluation.deliveries.map(({ delivered }) => delivered)).toEqual([2, 2]);
  const folded = [...pages, slackNotification(6000, [digestLine(7, '10:00:01', '10:00:05')])];
  expect(checkEvidence(who, evidenceOf({ statusReplies, timeline, notifications: folded })).findings).toEqual([]);
});

it.each([
  ['not in the digest', { notifications: pages, timeline }],
  ['not in the digest', { notifications: [], timeline }],
  ['not in the timeline', { notifications: [...pages, ...posts], timeline: timeline.slice(0, 1) }],
  ['left open', { notifications: [...pages.slice(0, 1), ...posts], timeline }],
  ['repeated', { notifications: [...pages, ...pages.slice(1), ...posts], timeline }],
])('crash oracle › finds a violation: %s (case %$)', (kind, part) => {
  const { findings } = checkEvidence(who, evidenceOf({ statusReplies, ...part }));
  expect(findings.map((finding) => finding.kind)).toContain(kind);
});
