import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edited, removals } from '../../races/removal/removals.ts';
import { isCaught, lineOf, tryWithout } from '../../races/removal/remove.ts';
import { linesOf, shortcomings, tallyOf } from '../../races/report.ts';
import { runOf } from '../../races/run.ts';

/** `npm run races` plays ten thousand. */
const runs = Number(process.env.RACES ?? 570);

describe('races', () => {
  it('harm nothing that policies did not mean, and miss little that they did', () => {
    const tally = tallyOf(Array.from({ length: runs }, (_, seed) => runOf(seed)));
    expect([...tally.found, ...shortcomings(tally)], linesOf(tally).join('\n')).toEqual([]);
    expect(
      tally.byKind.every((kind) => kind.runs > 0 && kind.aborts > 0),
      linesOf(tally).join('\n'),
    ).toBe(true);
  }, 120_000);

  it.each(['grace', 'protect', 'budget of a node'])(
    'are lost without a condition: %s',
    async (name) => {
      const removal = removals.find((one) => one.name === name);
      if (removal === undefined) throw new Error('no such condition');
      const caught = await tryWithout(removal, { runs: 200, seed: 0 });
      expect(isCaught(caught), lineOf(caught)).toBe(true);
    },
    60_000,
  );
});

describe('the conditions', () => {
  it.each(removals)('can still be taken out of the sources: $name', ({ edits }) => {
    for (const edit of edits) {
      const content = readFileSync(join('src', edit.file), 'utf8');
      expect(edited(content, edit)).not.toContain(edit.text);
    }
  });

  it('have to be there just once', () => {
    const edit = { file: 'x.ts', text: 'a', by: 'b' };
    expect(edited('xay', edit)).toBe('xby');
    expect(() => edited('xy', edit)).toThrow('x.ts does not have just once: a');
    expect(() => edited('aa', edit)).toThrow('x.ts does not have just once: a');
  });

  it.each<[Readonly<Record<string, number>>, boolean]>([
    [{ 'too early': 1 }, true],
    [{ 'too idle': 1 }, true],
    [{}, false],
    [{ 'too tame': 1 }, false],
    [{ bug: 1, 'not meant': 1 }, false],
  ])('are missed by what the guard did, not where it fell over: %j', (kinds, isIt) => {
    expect(isCaught({ kinds })).toBe(isIt);
    expect(lineOf({ name: 'x', runs: 1, kinds }).includes('NOT caught')).toBe(!isIt);
  });
});
