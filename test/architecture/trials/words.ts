import {
  commentInMeasure,
  documentExports,
  exportByName,
  logConstantTexts,
  nameFilesAfterTheirJob,
  nameThingsByTheField,
} from '../words.ts';
import { alone, type Trial } from './trial.ts';

/** Trials of the rules about names, comments and exports. */
export const wordsTrials: readonly Trial[] = [
  {
    rule: nameFilesAfterTheirJob,
    bad: [
      ...alone('src/app/utils.ts', ''),
      ...alone('src/common/a.ts', ''),
      ...alone('test/app/test-helpers.test.ts', ''),
      ...alone('src/app/index.ts', ''),
      ...alone('src/app/BoardThing.ts', ''),
    ],
    good: [...alone('src/app/reload.ts', ''), ...alone('test/app/reload.property.test.ts', '')],
  },
  {
    rule: nameThingsByTheField,
    bad: alone(
      'src/app/a.ts',
      'class PoolManager {}',
      'interface NodeBase {}',
      'type BoardImpl = 1',
      'function urlHelper() {}',
    ),
    good: alone('src/app/a.ts', 'class Pool {}', 'interface Database {}'),
  },
  {
    rule: documentExports,
    bad: alone(
      'src/app/a.ts',
      'export function f() {}',
      'export const a = 1;',
      '// Not a doc comment.\nexport interface A {}',
      '/** Of another. */\nconst b = 1;\nexport type A = 1;',
    ),
    good: [
      ...alone('src/app/a.ts', '/** Why. */\nexport function f() {}', 'function g() {}'),
      ...alone('test/app/a.ts', 'export const a = 1;'),
    ],
  },
  {
    rule: exportByName,
    bad: alone(
      'src/app/a.ts',
      'export default 1;',
      `export * from './b.ts';`,
      `export { b } from './b.ts';`,
      `import { b } from './b.ts';\nexport { b };`,
    ),
    good: alone('src/app/a.ts', `import { b } from './b.ts';\nexport const all = [b];`, 'const a = 1;\nexport { a };'),
  },
  {
    rule: commentInMeasure,
    bad: alone(
      'src/app/a.ts',
      'f();\n'.repeat(91) + '// c\n'.repeat(9),
      'f();\n'.repeat(81) + '/*\n*/'.repeat(1) + '\n// c'.repeat(18),
    ),
    good: alone(
      'src/app/a.ts',
      'f();\n'.repeat(90) + '// c\n'.repeat(10),
      `${'f();\n'.repeat(82)}${'// c\n'.repeat(18)}\n\n`,
    ),
  },
  {
    rule: logConstantTexts,
    bad: alone('src/app/a.ts', 'log.warn(`lost ${node}`);', `ports.log.error('a' + b);`, 'this.#log.warn(text);'),
    good: alone('src/app/a.ts', `log.warn('node lost', { node });`, 'log.info(`at ${url}`);', 'other.error(text);'),
  },
];
