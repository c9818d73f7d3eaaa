import { describe, expect, it } from 'vitest';
import type { Letter } from '../../../crash/evidence.ts';
import { judgeDeliveries } from '../../../crash/oracle/deliveries.ts';
import { alerted, begin, evidenceOf, foldedLine, line, paged, posted } from '../logs.ts';

const trigger = { action: 'trigger', episode: 7 } as const;
const resolve = { action: 'resolve', episode: 7 } as const;
const later = { action: 'trigger', episode: 8 } as const;
const refused = { taken: false, status: 429 } as const;
const failed = { taken: false, status: 500 } as const;
const dropped = { answer: 'lost' } as const;

function judged(...letters: readonly Letter[]) {
  return judgeDeliveries(letters[0]?.receiver ?? '', evidenceOf({ letters }));
}

function kindsOf(...letters: readonly Letter[]): readonly string[] {
  return judged(...letters).findings.map(({ kind }) => kind);
}

describe('what is in order', () => {
  it.each<[string, readonly Letter[]]>([
    ['a trigger and its resolve', [paged(1000, trigger), paged(2000, resolve)]],
    ['a trigger that was refused, and then nobody was told', [paged(1000, trigger, refused)]],
    [
      'a trigger that failed, was repeated, and its resolve',
      [paged(1000, trigger, failed), paged(2000, trigger), paged(3000, resolve)],
    ],
    [
      'one episode after the other',
      [paged(1000, trigger), paged(2000, resolve), paged(3000, later), paged(4000, { ...later, action: 'resolve' })],
    ],
    [
      'Alertmanager told again and again',
      [alerted(1000, trigger), alerted(2000, trigger), alerted(3000, resolve), alerted(4000, resolve)],
    ],
    ['a digest', [posted(1000, [foldedLine(7, '10:00:00', '10:00:02')])]],
  ])('%s', (_, letters) => {
    expect(kindsOf(...letters)).toEqual([]);
  });
});

describe('what must not be', () => {
  it.each<[string, string, readonly Letter[]]>([
    ['lost', 'what may have arrived was never repeated', [paged(1000, trigger, failed)]],
    [
      'lost',
      'what was under way at a kill was never repeated',
      [paged(8990, trigger, { taken: false, answer: 'lost', endedAt: begin + 9001 })],
    ],
    ['lost', 'what has no answer yet was never repeated', [paged(1000, trigger, { taken: false, answer: 'pending' })]],
    ['left open', 'a trigger without a resolve', [paged(1000, trigger)]],
    ['left open', 'a resolve that was not taken', [paged(1000, trigger), paged(2000, resolve, failed)]],
    ['left open', 'a line without a resolve', [posted(1000, [line(trigger, '10:00:00')])]],
    ['repeated', 'a trigger twice in one life', [paged(1000, trigger), paged(2000, trigger), paged(3000, resolve)]],
    [
      'repeated',
      'a trigger again in the next life, though it was answered long before the kill',
      [paged(1000, trigger), paged(12_000, trigger), paged(13_000, resolve)],
    ],
    ['repeated', 'a resolve twice', [paged(1000, trigger), paged(2000, resolve), paged(3000, resolve)]],
    [
      'repeated',
      'a digest twice',
      [posted(1000, [foldedLine(7, '10:00:00', '10:00:02')]), posted(2000, [foldedLine(7, '10:00:00', '10:00:02')])],
    ],
    [
      'disordered',
      'a resolve before its trigger was taken',
      [paged(1000, trigger, failed), paged(2000, resolve), paged(3000, trigger), paged(4000, resolve, refused)],
    ],
    ['disordered', 'a resolve of what nobody was told of', [paged(1000, resolve)]],
    [
      'disordered',
      'an older episode after a newer one',
      [
        alerted(1000, trigger),
        alerted(2000, later),
        alerted(3000, resolve),
        alerted(4000, { ...later, action: 'resolve' }),
      ],
    ],
  ])('%s: %s', (kind, _, letters) => {
    expect(kindsOf(...letters)).toContain(kind);
  });

  it('is a trigger after its own resolve: it would open the incident again', () => {
    const { findings } = judged(paged(1000, trigger), paged(2000, resolve), paged(3000, trigger), paged(4000, resolve));
    expect(findings.map(({ about }) => about)).toContain(
      `pagerduty: trigger of ${paged(0, trigger).told[0]?.key} (life 1) came after its own resolve`,
    );
  });
});

it('lets an end be told again after a newer beginning that was refused', () => {
  const letters = [
    alerted(1000, trigger),
    alerted(2000, resolve),
    alerted(3000, later, refused),
    alerted(4000, resolve),
  ];
  expect(kindsOf(...letters)).toEqual([]);
});

describe('a second time', () => {
  it('is a duplicate where it was under way at the kill', () => {
    const result = judged(paged(8990, trigger), paged(12_000, trigger), paged(13_000, resolve));
    expect(result).toMatchObject({ findings: [], duplicates: 1, unanswered: 0, inFlight: 1 });
  });

  it('is no fault of ours where the receiver lost its answer', () => {
    const result = judged(paged(1000, trigger, dropped), paged(3000, trigger), paged(4000, resolve));
    expect(result).toMatchObject({ findings: [], duplicates: 0, unanswered: 1, inFlight: 0 });
  });

  it('may come but once for each kill', () => {
    const all = [paged(8990, trigger), paged(12_000, trigger), paged(14_000, trigger), paged(15_000, resolve)];
    expect(judged(...all)).toMatchObject({ duplicates: 1, findings: [{ kind: 'repeated' }] });
  });

  it('is excused for the last letter of a life alone: the one before was stored before the last was sent', () => {
    const all = [paged(8900, trigger), paged(8990, { ...trigger, instance: 'GPE_1#2' }), paged(12_000, trigger)];
    expect(judged(...all, paged(13_000, resolve)).findings).toContainEqual(
      expect.objectContaining({ kind: 'repeated' }),
    );
  });
});

it('counts what was delivered, and in which lives', () => {
  const result = judged(
    posted(1000, [line(trigger, '10:00:00'), line({ ...trigger, instance: 'GPE_1#2' }, '10:00:00')]),
    posted(21_000, [
      line(resolve, '10:00:00', '10:00:20'),
      line({ ...resolve, instance: 'GPE_1#2' }, '10:00:00', '10:00:20'),
    ]),
    posted(22_000, [foldedLine(9, '10:00:20', '10:00:21')], failed),
  );
  expect(result).toMatchObject({ findings: [], delivered: 4, folded: 0, livesWithDelivery: new Set([0, 2]) });
});
