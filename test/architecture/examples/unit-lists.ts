import { listEveryUnit, mergeShortFiles } from '../unit-lists.ts';
import type { RuleExample } from './example.ts';

const list = { 'src/collect/all.ts': `import './a-b.ts';`, 'test/collect/a-b.test.ts': '' };
const unit = `export const aB = collector({ name: 'a_b' });`;
const short = { 'src/app/a.ts': `import './b.ts';`, 'src/app/b.ts': 'f();\n'.repeat(39) };

/** Examples of the rules about units and short files. */
export const unitListExamples: readonly RuleExample[] = [
  {
    rule: listEveryUnit,
    bad: [
      { 'src/collect/a-b.ts': unit, 'test/collect/a-b.test.ts': '' },
      { ...list, 'src/collect/all.ts': '', 'src/collect/a-b.ts': unit },
      { 'src/collect/all.ts': `import './a-b.ts';`, 'src/collect/a-b.ts': unit },
      { ...list, 'src/collect/a-b.ts': `export const aB = collector({ name: 'ab' });` },
      { ...list, 'src/collect/a-b.ts': `export const ab = collector({ name: 'a_b' });` },
      {
        'src/cli/commands/all.ts': '',
        'src/cli/run.ts': 'export const run: Command = {};',
        'test/cli/run.test.ts': '',
      },
    ],
    good: [
      {},
      { ...list, 'src/collect/a-b.ts': unit, 'src/collect/latest-results.ts': 'function put() {}' },
      {
        'src/alert/rules/all.ts': `import './a.ts';`,
        'src/alert/rules/a.ts': `export const a: SelfRule = { name: 'a' };`,
        'test/alert/rules/a.test.ts': '',
      },
      {
        'src/cli/commands/all.ts': `const load = () => import('./silence-add.ts');`,
        'src/cli/commands/silence-add.ts': `export const silenceAdd: Command = { flags: [] };`,
        'test/cli/commands/silence-add.test.ts': '',
      },
    ],
  },
  {
    rule: mergeShortFiles,
    bad: [short],
    good: [
      { ...short, 'src/app/b.ts': 'f();\n'.repeat(40) },
      { ...short, 'src/app/c.ts': `import './b.ts';` },
      { 'src/app/all.ts': `import './b.ts';`, 'src/app/b.ts': 'f();' },
    ],
  },
];
