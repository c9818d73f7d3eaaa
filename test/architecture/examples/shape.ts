import {
  keepFilesShort,
  keepFunctionsShort,
  keepMainShort,
  limitNesting,
  limitParameters,
  putSignalsLast,
} from '../shape.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

const body = (lines: number): string => `function f() {\n${'  g();\n'.repeat(lines - 2)}}\n`;

/** Examples of the rules about size and shape. */
export const shapeExamples: readonly RuleExample[] = [
  {
    rule: keepFilesShort,
    bad: singleFileProjects('src/app/a.ts', 'f();\n'.repeat(301)),
    good: singleFileProjects('src/app/a.ts', 'f();\n'.repeat(300)),
  },
  {
    rule: keepMainShort,
    bad: singleFileProjects('src/main.ts', 'f();\n'.repeat(61)),
    good: [
      ...singleFileProjects('src/main.ts', 'f();\n'.repeat(60)),
      ...singleFileProjects('src/app/a.ts', 'f();\n'.repeat(61)),
    ],
  },
  {
    rule: keepFunctionsShort,
    bad: [
      ...singleFileProjects(
        'src/app/a.ts',
        body(51),
        `const f = () => ${body(51).slice(13)}`,
        `class A { ${body(51).slice(9)} }`,
      ),
      ...singleFileProjects('tools/bench/a.ts', body(51)),
    ],
    good: [...singleFileProjects('src/app/a.ts', body(50)), ...singleFileProjects('test/app/a.ts', body(51))],
  },
  {
    rule: limitParameters,
    bad: singleFileProjects(
      'src/app/a.ts',
      'function f(a: 1, b: 1, c: 1, d: 1, { e }: { e: 1 }) {}',
      'interface A { f(a: 1, b: 1, c: 1, d: 1, e: 1): void }',
      'type F = (a: 1, b: 1, c: 1, d: 1, e: 1) => void',
    ),
    good: singleFileProjects('src/app/a.ts', 'const f = (a: 1, b: 1, c: 1, d: 1) => a'),
  },
  {
    rule: limitNesting,
    bad: singleFileProjects(
      'src/app/a.ts',
      'function f() { if (a) for (;;) while (b) { if (c) g(); } }',
      'function f() { try { switch (a) { case 1: if (b) do { g(); } while (c); } } catch {} }',
    ),
    good: singleFileProjects(
      'src/app/a.ts',
      'function f() { if (a) for (;;) while (b) { g(); } }',
      'function f() { if (a) g(); else if (b) g(); else if (c) g(); else if (d) g(); else g(); }',
      'function f() { if (a) if (b) if (c) g(() => { if (d) h(); }); }',
    ),
  },
  {
    rule: putSignalsLast,
    bad: singleFileProjects(
      'src/app/a.ts',
      'function f(signal: AbortSignal, b: 1) {}',
      'type F = (s: AbortSignal, b: 1) => void',
    ),
    good: singleFileProjects(
      'src/app/a.ts',
      'function f(b: 1, signal: AbortSignal) {}',
      'function f(b: { s: 1 }, signal?: AbortSignal) {}',
    ),
  },
];
