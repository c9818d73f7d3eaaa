import { describe, expect, it } from 'vitest';
import { abortCallExamples } from './examples/abort-call.ts';
import { layerExamples } from './examples/layers.ts';
import { namingExamples } from './examples/naming.ts';
import { plainWordsExamples } from './examples/plain-words.ts';
import { purityExamples } from './examples/purity.ts';
import { shapeExamples } from './examples/shape.ts';
import { singleHomeExamples } from './examples/single-homes.ts';
import { testCoverageExamples } from './examples/test-coverage.ts';
import { unitListExamples } from './examples/unit-lists.ts';
import { respectLayers } from './layers.ts';
import { writePlainWords } from './plain-words.ts';
import { parseSource, projectOf } from './project.ts';
import { rules } from './rules.ts';

const allRules = new Set([...rules, writePlainWords]);
const examples = [
  ...layerExamples,
  ...abortCallExamples,
  ...singleHomeExamples,
  ...shapeExamples,
  ...namingExamples,
  ...plainWordsExamples,
  ...purityExamples,
  ...testCoverageExamples,
  ...unitListExamples,
];

type Files = Readonly<Record<string, string>>;

/** Returns the number of an example in its list with the paths of its files, and the files. */
function titled(files: Files, index: number): readonly [title: string, files: Files] {
  const [first = 'no file', ...others] = Object.keys(files);
  return [`${index + 1}: ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`, files];
}

describe('architecture rules', () => {
  it('have examples each', () => {
    expect(examples.map(({ rule }) => rule.name).toSorted()).toEqual([...allRules].map(({ name }) => name).toSorted());
  });

  describe.each(examples.map((example) => [example.rule.name, example] as const))('«%s»', (_, { rule, bad, good }) => {
    it.each(bad.map(titled))('rejects example %s', (__, files) => {
      expect(rule.check(projectOf(files))).not.toEqual([]);
    });

    it.each(good.map(titled))('accepts example %s', (__, files) => {
      expect(rule.check(projectOf(files))).toEqual([]);
    });
  });

  it('report the file and the line', () => {
    const project = projectOf({ 'src/kernel/a.ts': `\n\nimport { b } from '../model/b.ts';` });
    expect(respectLayers.check(project)).toEqual([
      `src/kernel/a.ts:3 'kernel' must not import from 'model': ../model/b.ts`,
    ]);
  });

  it('throw if a file does not parse', () => {
    expect(() => parseSource('src/app/a.ts', 'const = ;')).toThrow('src/app/a.ts');
  });
});
