import { expect, it } from 'vitest';
import type { StatusSpan } from '../../../../campaigns/crash/oracle/served-statuses.ts';
import { missingFromTimeline } from '../../../../campaigns/crash/oracle/timeline.ts';

const instance = 'GPE_1#1';

function stretch(status: string, from: number, until: number): StatusSpan {
  return { status, from, until };
}

function entries(...all: readonly (readonly [at: number, to: string])[]) {
  return all.map(([at, to]) => ({ at, to, instance }));
}

const served = [
  stretch('Online', 0, 250),
  stretch('Down', 1000, 1250),
  stretch('Online', 2000, Number.POSITIVE_INFINITY),
];

it.each([
  ['all of it', entries([5, 'Online'], [1005, 'Down'], [2005, 'Online'])],
  [
    'with gaps, during which the last status holds',
    entries([5, 'Online'], [6, 'unobserved'], [1005, 'Down'], [1006, 'unobserved'], [2005, 'Online']),
  ],
  [
    'with something between that was read once',
    entries([5, 'Online'], [600, 'Offline'], [1005, 'Down'], [2005, 'Online']),
  ],
  ['written down with the second reading', entries([200, 'Online'], [1250, 'Down'], [2400, 'Online'])],
])('timeline oracle › returns no finding: %s', (_, timeline) => {
  expect(missingFromTimeline(instance, served, timeline)).toEqual([]);
});

it.each([
  ['what was lost', entries([5, 'Online']), 'GPE_1#1 was Down'],
  [
    'what another instance has',
    [...entries([5, 'Online']), { at: 1005, to: 'Down', instance: 'GPE_1#2' }],
    'GPE_1#1 was Down',
  ],
  ['what was noticed too late', entries([5, 'Online'], [1600, 'Down'], [2005, 'Online']), 'GPE_1#1 was Down'],
  [
    'what was over too early',
    entries([5, 'Online'], [500, 'Down'], [700, 'Offline'], [2005, 'Online']),
    'GPE_1#1 was Down',
  ],
  ['another status', entries([5, 'Online'], [1005, 'Offline'], [2005, 'Online']), 'GPE_1#1 was Down'],
  ['the last status', entries([5, 'Online'], [1005, 'Down']), 'GPE_1#1 is Online at the end, but Down in the timeline'],
  ['everything', [], 'GPE_1#1 is Online at the end, but missing in the timeline'],
])('timeline oracle › reports as missing: %s', (_, timeline, about) => {
  const findings = missingFromTimeline(instance, served, timeline);
  expect(findings.map((finding) => finding.about)).toContainEqual(expect.stringContaining(about));
});

it('timeline oracle › requires the order of the served statuses', () => {
  const all = [stretch('Down', 0, 5000), stretch('Offline', 100, 5000), stretch('Down', 200, 5000)];
  expect(missingFromTimeline(instance, all, entries([10, 'Down'], [110, 'Offline'], [210, 'Down']))).toEqual([]);
  expect(missingFromTimeline(instance, all, entries([10, 'Offline'], [210, 'Down']))).toHaveLength(1);
});
