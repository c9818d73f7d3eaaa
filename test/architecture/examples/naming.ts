import {
  checkCommentRatio,
  checkDeclarationNames,
  checkFileNames,
  documentExports,
  exportByName,
  logConstantTexts,
  logErrorsAsError,
} from '../naming.ts';
import { type RuleExample, singleFileProjects } from './example.ts';

/** Examples of the rules about names, comments and exports. */
export const namingExamples: readonly RuleExample[] = [
  {
    rule: checkFileNames,
    bad: [
      ...singleFileProjects('src/app/utils.ts', ''),
      ...singleFileProjects('src/common/a.ts', ''),
      ...singleFileProjects('test/app/test-helpers.test.ts', ''),
      ...singleFileProjects('src/app/index.ts', ''),
      ...singleFileProjects('src/app/BoardThing.ts', ''),
    ],
    good: [
      ...singleFileProjects('src/app/reload.ts', ''),
      ...singleFileProjects('test/app/reload.property.test.ts', ''),
    ],
  },
  {
    rule: checkDeclarationNames,
    bad: singleFileProjects(
      'src/app/a.ts',
      'class PoolManager {}',
      'interface NodeBase {}',
      'type BoardImpl = 1',
      'function urlHelper() {}',
    ),
    good: singleFileProjects('src/app/a.ts', 'class Pool {}', 'interface Database {}'),
  },
  {
    rule: documentExports,
    bad: singleFileProjects(
      'src/app/a.ts',
      'export function f() {}',
      'export const a = 1;',
      '// Not a doc comment.\nexport interface A {}',
      '/** Of another. */\nconst b = 1;\nexport type A = 1;',
    ),
    good: [
      ...singleFileProjects('src/app/a.ts', '/** Why. */\nexport function f() {}', 'function g() {}'),
      ...singleFileProjects('test/app/a.ts', 'export const a = 1;'),
    ],
  },
  {
    rule: exportByName,
    bad: singleFileProjects(
      'src/app/a.ts',
      'export default 1;',
      `export * from './b.ts';`,
      `export { b } from './b.ts';`,
      `import { b } from './b.ts';\nexport { b };`,
    ),
    good: singleFileProjects(
      'src/app/a.ts',
      `import { b } from './b.ts';\nexport const all = [b];`,
      'const a = 1;\nexport { a };',
    ),
  },
  {
    rule: checkCommentRatio,
    bad: singleFileProjects(
      'src/app/a.ts',
      'f();\n'.repeat(91) + '// c\n'.repeat(9),
      'f();\n'.repeat(81) + '/*\n*/'.repeat(1) + '\n// c'.repeat(18),
    ),
    good: singleFileProjects(
      'src/app/a.ts',
      'f();\n'.repeat(90) + '// c\n'.repeat(10),
      `${'f();\n'.repeat(82)}${'// c\n'.repeat(18)}\n\n`,
    ),
  },
  {
    rule: logErrorsAsError,
    bad: singleFileProjects(
      'src/app/a.ts',
      `log.warn('lost', { reason: kept.error });`,
      `this.#log.error('lost', { node, reason: message });`,
    ),
    good: singleFileProjects('src/app/a.ts', `log.warn('lost', { reason, error: kept.error });`),
  },
  {
    rule: logConstantTexts,
    bad: singleFileProjects(
      'src/app/a.ts',
      'log.warn(`lost ${node}`);',
      `ports.log.error('a' + b);`,
      'this.#log.warn(text);',
    ),
    good: singleFileProjects(
      'src/app/a.ts',
      `log.warn('node lost', { node });`,
      'log.info(`at ${url}`);',
      'other.error(text);',
    ),
  },
];
