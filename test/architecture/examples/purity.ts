import { forbidCasts, forbidEffectsInPureFiles, forbidModuleMocks, forbidSleepInPureTests } from '../purity.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

/** Examples of the rules about what pure files and tests may touch. */
export const purityExamples: readonly RuleExample[] = [
  {
    rule: forbidEffectsInPureFiles,
    bad: singleFileProjects(
      'src/collect/a.ts',
      'const a = Date.now();',
      'const a = new Date();',
      'const a = Math.random();',
      'const a = process.env.HOME;',
      'setTimeout(f, 1);',
      'const a = { fetch };',
      'const s = AbortSignal.timeout(1);',
      'const a = performance.now();',
    ),
    good: [
      ...singleFileProjects(
        'src/collect/a.ts',
        'const a = new Date(5);',
        'const a = state.process;',
        'const a = { process: 1 };',
        'function f(process: string) { return process; }',
        'interface A { readonly process: string }',
      ),
      ...singleFileProjects('src/runtime/a.ts', 'const a = Date.now();'),
      ...singleFileProjects('src/main.ts', 'process.exit(0);'),
    ],
  },
  {
    rule: forbidCasts,
    bad: singleFileProjects(
      'src/app/a.ts',
      'const a = b as A;',
      'const a: any = 1;',
      'const a = b!;',
      'const a = b as unknown as C;',
    ).concat(singleFileProjects('tools/a.ts', 'const a = b as A;')),
    good: [
      ...singleFileProjects('src/app/a.ts', 'const a = [1] as const;', 'const a = { b: 1 } satisfies A;'),
      ...singleFileProjects('test/app/a.test.ts', 'const a = b as A;'),
    ],
  },
  {
    rule: forbidModuleMocks,
    bad: singleFileProjects(
      'test/app/a.test.ts',
      `vi.mock('./b.ts');`,
      'vi.useFakeTimers();',
      `it.skip('x', f);`,
      `describe.only('x', f);`,
    ),
    good: singleFileProjects('test/app/a.test.ts', `it('x', f);`, 'const f = vi.fn();'),
  },
  {
    rule: forbidSleepInPureTests,
    bad: singleFileProjects('test/app/a.test.ts', 'await new Promise((done) => setTimeout(done, 10));'),
    good: [
      ...singleFileProjects('test/runtime/a.test.ts', 'setTimeout(f, 1);'),
      ...singleFileProjects('test/app/a.test.ts', 'await clock.sleep(1);'),
    ],
  },
];
