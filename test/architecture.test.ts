import { describe, expect, it } from 'vitest';
import { readProject } from './architecture/project.ts';
import { rules } from './architecture/rules.ts';

const folders = ['src', 'test', 'tools', 'campaigns'];
const project = readProject(process.cwd(), folders);

describe('project', () => {
  it('contains the sources', () => {
    expect(project.map((source) => source.path)).toContain('src/kernel/result.ts');
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(rule.check(project)).toEqual([]);
  });
});
