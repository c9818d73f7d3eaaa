import { below, folderOf, isNode, type Project, type Rule, type Source, walk } from './project.ts';

const bodies = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const units: Readonly<Record<string, string>> = { 'src/collect/all.ts': 'collector' };

/** Who looks for the test of a file finds it under the same path. A file of types and constants needs none. */
export const mirrorSources: Rule = {
  name: 'each file of src with logic has its test at the same place below test',
  check: (project) =>
    below(project, 'src')
      .filter((source) => hasLogic(source) && !isTested(source, project))
      .map((source) => `${source.path} has no ${testOf(source)}`),
};

/** Tests are the larger part of the project. */
export const testMoreThanIsWritten: Rule = {
  name: 'there are at least 1.3 lines of test for a line of src',
  check: (project) => {
    const written = lines(below(project, 'src'));
    const tested = lines(below(project, 'test'));
    return tested >= 1.3 * written
      ? []
      : [`${tested} lines of test for ${written} of src: ${(tested / written).toFixed(2)}`];
  },
};

/** A unit of extension is one file, one line in the wing's list, one test: nothing is forgotten, nothing lies about. */
export const listEveryUnit: Rule = {
  name: 'each file that declares a unit stands in its list, under its own name, with its test',
  check: (project) =>
    Object.entries(units).flatMap(([list, declarer]) => {
      const all = project.find((source) => source.path === list);
      if (all === undefined) return [`${list} is missing`];
      const wing = project.filter(
        (source) => folderOf(source.path) === folderOf(list) && source.path.startsWith('src/'),
      );
      return wing.flatMap((source) => unlisted(source, { all, declarer, project }));
    }),
};

interface Wing {
  readonly all: Source;
  /** The function that declares a unit. */
  readonly declarer: string;
  readonly project: Project;
}

function unlisted(source: Source, { all, declarer, project }: Wing): readonly string[] {
  const names = declaredNames(source, declarer);
  if (names.length === 0) return [];
  const expected = source.path.replace(/^.*\/|\.ts$/g, '').replaceAll('-', '_');
  return [
    ...names.filter((name) => name !== expected).map((name) => `${source.path} declares '${name}'`),
    ...(all.imports.some((one) => one.target === source.path) ? [] : [`${source.path} is not in ${all.path}`]),
    ...(isTested(source, project) ? [] : [`${source.path} has no ${testOf(source)}`]),
  ];
}

function declaredNames(source: Source, declarer: string): readonly string[] {
  return [...walk(source.program)]
    .filter((node) => node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === declarer)
    .flatMap((node) => (Array.isArray(node.arguments) ? node.arguments.filter(isNode) : []))
    .flatMap((node) => (Array.isArray(node.properties) ? node.properties.filter(isNode) : []))
    .filter((property) => isNode(property.key) && property.key.name === 'name' && isNode(property.value))
    .map((property) => (isNode(property.value) ? String(property.value.value) : ''));
}

function hasLogic(source: Source): boolean {
  return [...walk(source.program)].some((node) => bodies.includes(node.type) && isNode(node.body));
}

function isTested(source: Source, project: Project): boolean {
  return project.some((other) => other.path === testOf(source));
}

function testOf(source: Source): string {
  return source.path.replace(/^src\//, 'test/').replace(/\.ts$/, '.test.ts');
}

function lines(project: Project): number {
  return project.reduce((total, source) => total + source.lines, 0);
}
