import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removableConditions } from '../../../campaigns/races/removal/removable-conditions.ts';
import { applyEdit } from '../../../campaigns/races/removal/removed-condition.ts';
import { isDetected, resultLine, runWithoutCondition } from '../../../campaigns/races/removal/run-without.ts';
import { missedTargets, summarize, summaryLines } from '../../../campaigns/races/report.ts';
import { runSeed } from '../../../campaigns/races/run-seed.ts';
import { itInShortForm, numberOfRuns } from '../../support/campaign.ts';

/** `npm run races` simulates ten thousand runs. */
const runs = Number(process.env.RACES ?? numberOfRuns({ short: 95, campaign: 570 }));

describe('races', () => {
  it('abort only queries that policies match, and miss few victims', () => {
    const tally = summarize(Array.from({ length: runs }, (_, seed) => runSeed(seed)));
    expect([...tally.found, ...missedTargets(tally)], summaryLines(tally).join('\n')).toEqual([]);
    expect(
      tally.byKind.every((kind) => kind.runs > 0 && kind.aborts > 0),
      summaryLines(tally).join('\n'),
    ).toBe(true);
  });

  itInShortForm.each(['grace', 'protect', 'budget of a node'])(
    'have findings if a condition is removed: %s',
    async (name) => {
      const removal = removableConditions.find((one) => one.name === name);
      if (removal === undefined) throw new Error('no such condition');
      const result = await runWithoutCondition(removal, { runs: 200, seed: 0 });
      expect(isDetected(result), resultLine(result)).toBe(true);
    },
  );
});

describe('the conditions', () => {
  it.each(removableConditions)('can be removed from the sources: $name', ({ edits }) => {
    for (const edit of edits) {
      const content = readFileSync(join('src', edit.file), 'utf8');
      expect(applyEdit(content, edit)).not.toContain(edit.text);
    }
  });

  it('occur in the sources exactly once', () => {
    const edit = { file: 'x.ts', text: 'a', by: 'b' };
    expect(applyEdit('xay', edit)).toBe('xby');
    expect(() => applyEdit('xy', edit)).toThrow('x.ts does not contain exactly once: a');
    expect(() => applyEdit('aa', edit)).toThrow('x.ts does not contain exactly once: a');
  });

  it.each<[Readonly<Record<string, number>>, boolean]>([
    [{ 'too early': 1 }, true],
    [{ 'missed victims': 1 }, true],
    [{}, false],
    [{ 'few victims': 1 }, false],
    [{ bug: 1, 'no policy match': 1 }, false],
  ])('count as detected by findings, not by an exception of the guard: %j', (kinds, isIt) => {
    expect(isDetected({ kinds })).toBe(isIt);
    expect(resultLine({ name: 'x', runs: 1, kinds, seeds: [] }).includes('NOT detected')).toBe(!isIt);
  });
});
