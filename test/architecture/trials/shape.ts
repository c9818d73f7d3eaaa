import {
  keepFilesShort,
  keepFunctionsShort,
  keepMainShort,
  limitNesting,
  limitParameters,
  putSignalsLast,
} from '../shape.ts';
import { alone, type Trial } from './trial.ts';

const body = (lines: number): string => `function f() {\n${'  g();\n'.repeat(lines - 2)}}\n`;

/** Trials of the rules about size and shape. */
export const shapeTrials: readonly Trial[] = [
  {
    rule: keepFilesShort,
    bad: alone('src/app/a.ts', 'f();\n'.repeat(301)),
    good: alone('src/app/a.ts', 'f();\n'.repeat(300)),
  },
  {
    rule: keepMainShort,
    bad: alone('src/main.ts', 'f();\n'.repeat(61)),
    good: [...alone('src/main.ts', 'f();\n'.repeat(60)), ...alone('src/app/a.ts', 'f();\n'.repeat(61))],
  },
  {
    rule: keepFunctionsShort,
    bad: [
      ...alone('src/app/a.ts', body(51), `const f = () => ${body(51).slice(13)}`, `class A { ${body(51).slice(9)} }`),
      ...alone('bench/a.ts', body(51)),
    ],
    good: [...alone('src/app/a.ts', body(50)), ...alone('test/app/a.ts', body(51))],
  },
  {
    rule: limitParameters,
    bad: alone(
      'src/app/a.ts',
      'function f(a: 1, b: 1, c: 1, d: 1, { e }: { e: 1 }) {}',
      'interface A { f(a: 1, b: 1, c: 1, d: 1, e: 1): void }',
      'type F = (a: 1, b: 1, c: 1, d: 1, e: 1) => void',
    ),
    good: alone('src/app/a.ts', 'const f = (a: 1, b: 1, c: 1, d: 1) => a'),
  },
  {
    rule: limitNesting,
    bad: alone(
      'src/app/a.ts',
      'function f() { if (a) for (;;) while (b) { if (c) g(); } }',
      'function f() { try { switch (a) { case 1: if (b) do { g(); } while (c); } } catch {} }',
    ),
    good: alone(
      'src/app/a.ts',
      'function f() { if (a) for (;;) while (b) { g(); } }',
      'function f() { if (a) g(); else if (b) g(); else if (c) g(); else if (d) g(); else g(); }',
      'function f() { if (a) if (b) if (c) g(() => { if (d) h(); }); }',
    ),
  },
  {
    rule: putSignalsLast,
    bad: alone('src/app/a.ts', 'function f(signal: AbortSignal, b: 1) {}', 'type F = (s: AbortSignal, b: 1) => void'),
    good: alone(
      'src/app/a.ts',
      'function f(b: 1, signal: AbortSignal) {}',
      'function f(b: { s: 1 }, signal?: AbortSignal) {}',
    ),
  },
];
