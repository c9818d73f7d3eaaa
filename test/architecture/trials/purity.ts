import { castNothing, readNoWorldInPureFiles, sleepNowhereInPureTests, testTheRealThing } from '../purity.ts';
import { alone, type Trial } from './trial.ts';

/** Trials of the rules about what pure files and tests may touch. */
export const purityTrials: readonly Trial[] = [
  {
    rule: readNoWorldInPureFiles,
    bad: alone(
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
      ...alone(
        'src/collect/a.ts',
        'const a = new Date(5);',
        'const a = state.process;',
        'const a = { process: 1 };',
        'function f(process: string) { return process; }',
        'interface A { readonly process: string }',
      ),
      ...alone('src/runtime/a.ts', 'const a = Date.now();'),
      ...alone('src/main.ts', 'process.exit(0);'),
    ],
  },
  {
    rule: castNothing,
    bad: alone(
      'src/app/a.ts',
      'const a = b as A;',
      'const a: any = 1;',
      'const a = b!;',
      'const a = b as unknown as C;',
    ),
    good: alone('src/app/a.ts', 'const a = [1] as const;', 'const a = { b: 1 } satisfies A;'),
  },
  {
    rule: testTheRealThing,
    bad: alone(
      'test/app/a.test.ts',
      `vi.mock('./b.ts');`,
      'vi.useFakeTimers();',
      `it.skip('x', f);`,
      `describe.only('x', f);`,
    ),
    good: alone('test/app/a.test.ts', `it('x', f);`, 'const f = vi.fn();'),
  },
  {
    rule: sleepNowhereInPureTests,
    bad: alone('test/app/a.test.ts', 'await new Promise((done) => setTimeout(done, 10));'),
    good: [
      ...alone('test/runtime/a.test.ts', 'setTimeout(f, 1);'),
      ...alone('test/app/a.test.ts', 'await clock.sleep(1);'),
    ],
  },
];
