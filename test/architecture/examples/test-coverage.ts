import { mirrorSources, requireTestLines } from '../test-coverage.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

/** Examples of the rules about tests. */
export const testCoverageExamples: readonly RuleExample[] = [
  {
    rule: mirrorSources,
    bad: [
      ...singleFileProjects('src/app/a.ts', 'const f = () => 1;'),
      { 'src/app/a.ts': 'class A { f() {} }', 'test/app/b.test.ts': '', 'test/a.test.ts': '' },
    ],
    good: [
      { 'src/app/a.ts': 'function f() {}', 'test/app/a.test.ts': '' },
      ...singleFileProjects('src/app/a.ts', 'interface A { f(): void }', 'const a = { b: 1 };'),
    ],
  },
  {
    rule: requireTestLines,
    bad: [{ 'src/app/a.ts': 'f();\n'.repeat(10), 'test/app/a.test.ts': 'f();\n'.repeat(12) }],
    good: [{ 'src/app/a.ts': 'f();\n'.repeat(10), 'test/app/a.test.ts': 'f();\n'.repeat(13) }],
  },
];
