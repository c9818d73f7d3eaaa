import { expect, it } from 'vitest';
import { missingIncidents, missingTroubles } from '../../../crash/oracle/digest.ts';
import type { Stretch } from '../../../crash/oracle/served.ts';
import { begin, evidenceOf, foldedLine, line, paged, posted } from '../logs.ts';

const chronicle = { receiver: 'slack', others: ['pagerduty'] };
const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;

function stretch(status: string, from: number): Stretch {
  return { status, from: begin + from, until: begin + from + 250 };
}

const served = [
  stretch('Online', 0),
  stretch('Down', 5000),
  stretch('Offline', 6000),
  stretch('Online', 9000),
  stretch('Down', 20_000),
  stretch('Online', 25_000),
];
const first = [posted(5300, [line(trigger, '10:00:05')]), posted(9300, [line(resolve, '10:00:05', '10:00:09')])];

it('wants to find in the lines what another receiver was told of', () => {
  const letters = [
    paged(1000, trigger),
    paged(1000, { ...trigger, episode: 8 }),
    posted(2000, [line(trigger, '10:00:01')]),
  ];
  expect(missingIncidents(chronicle, evidenceOf({ letters }))).toEqual([
    {
      kind: 'not in the digest',
      about: expect.stringMatching(/^slack never heard of .*-8, of which pagerduty was told$/),
    },
  ]);
  const digest = posted(3000, [foldedLine(8, '10:00:01', '10:00:02')]);
  expect(missingIncidents(chronicle, evidenceOf({ letters: [...letters, digest] }))).toEqual([]);
  expect(missingIncidents(chronicle, evidenceOf({ letters: [...letters, { ...digest, taken: false }] }))).toHaveLength(
    1,
  );
});

it('wants to find in the lines what the cluster served', () => {
  const told = [...first, posted(26_000, [foldedLine(9, '10:00:20', '10:00:25')])];
  expect(missingTroubles('GPE_1#1', served, chronicle, evidenceOf({ letters: told }))).toEqual([]);
});

it.each([
  ['nobody was told', [], 2],
  ['the second is missing', first, 1],
  ['one line does not stand for two', [posted(5300, [foldedLine(7, '10:00:05', '10:00:30')])], 1],
  ['the line of another instance', [...first, posted(26_000, [foldedLine(9, '10:00:20', '10:00:25', 'GPE_1#2')])], 1],
  ['a line about another time', [...first, posted(26_000, [foldedLine(9, '10:00:10', '10:00:11')])], 1],
  [
    'a line that was not taken',
    [...first, posted(26_000, [foldedLine(9, '10:00:20', '10:00:25')], { taken: false })],
    1,
  ],
])('complains where %s', (_, letters, count) => {
  expect(missingTroubles('GPE_1#1', served, chronicle, evidenceOf({ letters }))).toHaveLength(count);
});
