import { below, isNode, type Project, type Rule, type Source, walk } from './project.ts';

const bodies = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Requires the test of a file at the same path below `test`. Files with only types and constants need no test. */
export const mirrorSources: Rule = {
  name: 'each file of src with logic has its test at the same path below test',
  check: (project) =>
    below(project, 'src')
      .filter((source) => hasLogic(source) && !isTested(source, project))
      .map((source) => `${source.path} has no ${testOf(source)}`),
};

/** Requires more lines of tests than of sources. */
export const requireTestLines: Rule = {
  name: 'there are at least 1.3 lines of test per line of src',
  check: (project) => {
    const source = lines(below(project, 'src'));
    const test = lines(below(project, 'test'));
    return test >= 1.3 * source ? [] : [`${test} lines of test for ${source} of src: ${(test / source).toFixed(2)}`];
  },
};

/** Whether a source has its own test file. */
export function isTested(source: Source, project: Project): boolean {
  const expected = testOf(source);
  return project.some(({ path }) => path === expected);
}

/** Returns the path of the test of a source. */
export function testOf(source: Source): string {
  return source.path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
}

function hasLogic(source: Source): boolean {
  return walk(source.program).some((node) => bodies.includes(node.type) && isNode(node.body));
}

function lines(project: Project): number {
  return project.reduce((total, source) => total + source.lines, 0);
}
