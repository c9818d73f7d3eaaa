import { listEveryUnit, mirrorSources, testMoreThanIsWritten } from '../mirror.ts';
import { alone, type Trial } from './trial.ts';

/** Trials of the rules about tests and lists. */
export const mirrorTrials: readonly Trial[] = [
  {
    rule: mirrorSources,
    bad: [
      ...alone('src/app/a.ts', 'const f = () => 1;'),
      { 'src/app/a.ts': 'class A { f() {} }', 'test/app/b.test.ts': '', 'test/a.test.ts': '' },
    ],
    good: [
      { 'src/app/a.ts': 'function f() {}', 'test/app/a.test.ts': '' },
      ...alone('src/app/a.ts', 'interface A { f(): void }', 'const a = { b: 1 };'),
    ],
  },
  {
    rule: testMoreThanIsWritten,
    bad: [{ 'src/app/a.ts': 'f();\n'.repeat(10), 'test/app/a.test.ts': 'f();\n'.repeat(12) }],
    good: [{ 'src/app/a.ts': 'f();\n'.repeat(10), 'test/app/a.test.ts': 'f();\n'.repeat(13) }],
  },
  {
    rule: listEveryUnit,
    bad: [
      {},
      {
        'src/collect/all.ts': '',
        'src/collect/a.ts': `const a = collector({ name: 'a' });`,
        'test/collect/a.test.ts': '',
      },
      { 'src/collect/all.ts': `import './a.ts';`, 'src/collect/a.ts': `const a = collector({ name: 'a' });` },
      {
        'src/collect/all.ts': `import './a-b.ts';`,
        'src/collect/a-b.ts': `const a = collector({ name: 'ab' });`,
        'test/collect/a-b.test.ts': '',
      },
    ],
    good: [
      {
        'src/collect/all.ts': `import './a-b.ts';`,
        'src/collect/a-b.ts': `const a = collector({ name: 'a_b' });`,
        'test/collect/a-b.test.ts': '',
        'src/collect/board.ts': 'function put() {}',
      },
    ],
  },
];
