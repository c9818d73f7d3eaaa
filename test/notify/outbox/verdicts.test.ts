import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/notify/notifier.ts';
import type { Verdict } from '../../../src/notify/outbox/episode.ts';
import { verdictOf } from '../../../src/notify/outbox/verdicts.ts';
import { accepted, broken, limited, refused, serverError, unreachable } from '../delivering.ts';

describe('what an answer means for one alert of a letter', () => {
  it.each<[string, Answer, Verdict]>([
    ['is taken', accepted, { kind: 'accepted' }],
    ['may be taken without an answer', unreachable, { kind: 'lost', answered: false, chance: 0.25 }],
    ['may be taken where the server fails', serverError, { kind: 'lost', answered: true, chance: 0.25 }],
    ['is not taken where there is too much', limited, { kind: 'untaken' }],
    ['is not taken by a broken receiver', broken, { kind: 'untaken' }],
    ['may be the guilty one', refused, { kind: 'refused', letter: 3 }],
    ['may be one of the guilty', { ...refused, culprits: [] }, { kind: 'refused', letter: 3 }],
    ['is the guilty one', { ...refused, culprits: [1] }, { kind: 'refused', letter: 1 }],
    ['is not guilty', { ...refused, culprits: [0, 2] }, { kind: 'spared' }],
  ])('%s', (_, answer, expected) => {
    expect(verdictOf(answer, 1, 3, 0.25)).toEqual(expected);
  });
});
