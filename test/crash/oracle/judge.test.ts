import { expect, it } from 'vitest';
import { judge } from '../../../crash/oracle/judge.ts';
import { begin, evidenceOf, foldedLine, line, paged, posted, reading } from '../logs.ts';

const who = {
  receivers: ['pagerduty', 'slack'],
  chronicle: { receiver: 'slack', others: ['pagerduty'] },
  instances: ['GPE_1#1'],
};
const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;
const readings = [
  reading(0, 0, 'Online'),
  reading(0, 250, 'Online'),
  reading(0, 1000, 'Down'),
  reading(0, 1250, 'Down'),
  reading(0, 5000, 'Online'),
  reading(0, 5250, 'Online'),
];
const timeline = [
  { at: begin + 10, instance: 'GPE_1#1', to: 'Online' },
  { at: begin + 1010, instance: 'GPE_1#1', to: 'Down' },
  { at: begin + 5010, instance: 'GPE_1#1', to: 'Online' },
];
const pages = [paged(1100, trigger), paged(5100, resolve)];
const posts = [posted(1100, [line(trigger, '10:00:01')]), posted(5100, [line(resolve, '10:00:01', '10:00:05')])];

it('finds nothing where everybody was told and everything is in the timeline', () => {
  const judgement = judge(who, evidenceOf({ readings, timeline, letters: [...pages, ...posts] }));
  expect(judgement).toMatchObject({ findings: [], stretches: 3, unseen: 0 });
  expect(judgement.deliveries.map(({ delivered }) => delivered)).toEqual([2, 2]);
  const folded = [...pages, posted(6000, [foldedLine(7, '10:00:01', '10:00:05')])];
  expect(judge(who, evidenceOf({ readings, timeline, letters: folded })).findings).toEqual([]);
});

it.each([
  ['not in the digest', { letters: pages, timeline }],
  ['not in the digest', { letters: [], timeline }],
  ['not in the timeline', { letters: [...pages, ...posts], timeline: timeline.slice(0, 1) }],
  ['left open', { letters: [...pages.slice(0, 1), ...posts], timeline }],
  ['repeated', { letters: [...pages, ...pages.slice(1), ...posts], timeline }],
])('finds what is %s', (kind, part) => {
  const { findings } = judge(who, evidenceOf({ readings, ...part }));
  expect(findings.map((finding) => finding.kind)).toContain(kind);
});
