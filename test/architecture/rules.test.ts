import { describe, expect, it } from 'vitest';
import { respectFloors } from './floors.ts';
import { parseSource, projectOf } from './project.ts';
import { rules } from './rules.ts';
import { actsTrials } from './trials/acts.ts';
import { floorsTrials } from './trials/floors.ts';
import { mirrorTrials } from './trials/mirror.ts';
import { purityTrials } from './trials/purity.ts';
import { shapeTrials } from './trials/shape.ts';
import { wordsTrials } from './trials/words.ts';

const trials = [...floorsTrials, ...actsTrials, ...shapeTrials, ...wordsTrials, ...purityTrials, ...mirrorTrials];

describe('the rules of the architecture', () => {
  it('have a trial each', () => {
    expect(trials.map(({ rule }) => rule.name).toSorted()).toEqual(rules.map((rule) => rule.name).toSorted());
  });

  describe.each(trials.map((trial) => [trial.rule.name, trial] as const))('«%s»', (_, { rule, bad, good }) => {
    it.each(bad.map((files) => [JSON.stringify(files).slice(0, 100), files] as const))('refuses %s', (__, files) => {
      expect(rule.check(projectOf(files))).not.toEqual([]);
    });

    it.each(good.map((files) => [JSON.stringify(files).slice(0, 100), files] as const))('accepts %s', (__, files) => {
      expect(rule.check(projectOf(files))).toEqual([]);
    });
  });

  it('say where the trouble is', () => {
    const project = projectOf({ 'src/kernel/a.ts': `\n\nimport { b } from '../model/b.ts';` });
    expect(respectFloors.check(project)).toEqual([
      `src/kernel/a.ts:3 'kernel' may not import from 'model': ../model/b.ts`,
    ]);
  });

  it('need files that parse', () => {
    expect(() => parseSource('src/app/a.ts', 'const = ;')).toThrow('src/app/a.ts');
  });
});
