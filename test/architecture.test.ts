import { describe, expect, it } from 'vitest';
import { readProject } from './architecture/project.ts';
import { rules } from './architecture/rules.ts';

const folders = ['src', 'test', 'generate', 'bench', 'build', 'crash', 'races', 'mutate'];
const project = readProject(process.cwd(), folders);

describe('the project', () => {
  it('is there to be looked at', () => {
    expect(project.map((source) => source.path)).toContain('src/kernel/result.ts');
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(rule.check(project)).toEqual([]);
  });
});
