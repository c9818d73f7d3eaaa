import { afterAll, describe, expect, it } from 'vitest';
import { type Project, readProject } from './architecture/project.ts';
import { rules } from './architecture/rules.ts';

const folders = ['src', 'test', 'tools', 'campaigns'];
let project: Project = readProject(process.cwd(), folders);

// Other tests in the same worker would collect garbage around millions of syntax nodes.
afterAll(() => {
  project = [];
});

describe('project', () => {
  it('contains the sources', () => {
    expect(project.map((source) => source.path)).toContain('src/kernel/result.ts');
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    expect(rule.check(project)).toEqual([]);
  });
});
