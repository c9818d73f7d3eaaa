import { dirname } from 'node:path';
import { below, children, folderOf, isNode, type Node, type Project, type Rule, type Source } from './project.ts';
import { isTested, testOf } from './test-coverage.ts';

/** Lists of units of extension, with the types and functions that declare a unit of each. */
const unitLists: Readonly<Record<string, readonly string[]>> = {
  'src/alert/rules/all.ts': ['ClusterRule', 'SelfRule'],
  'src/cli/commands/all.ts': ['Command'],
  'src/collect/all.ts': ['collector'],
  'src/guard/conditions/all.ts': ['Condition', 'GuardCondition', 'PolicyCondition'],
  'src/notify/receivers/all.ts': ['Receiver', 'receiver', 'httpReceiver'],
};

/** A unit of extension is one file with its own name, one line in the list of its folder, and one test. */
export const listEveryUnit: Rule = {
  name: 'each file that declares a unit is in its list, has the name of the unit, and has a test',
  check: (project) =>
    Object.entries(unitLists).flatMap(([path, declarers]) => {
      const list = project.find((source) => source.path === path);
      // Until the list exists, only its own folder belongs to it.
      const area = list === undefined ? `${dirname(path)}/` : `src/${folderOf(path)}/`;
      return project
        .filter((source) => source.path.startsWith(area))
        .flatMap((source) =>
          unitsIn(source, declarers).flatMap((unit) => [
            ...misnamed(source, unit),
            ...(isListed(source, list) ? [] : [`${source.path} is not in ${path}`]),
            ...(isTested(source, project) ? [] : [`${source.path} has no ${testOf(source)}`]),
          ]),
        );
    }),
};

/** One exported unit: its constant and, if it is a literal, its `name` or `kind`. */
interface Unit {
  readonly constant: string;
  readonly name: string | undefined;
}

function unitsIn(source: Source, declarers: readonly string[]): readonly Unit[] {
  return childrenOf(source.program)
    .filter((node) => node.type === 'ExportNamedDeclaration' && isNode(node.declaration))
    .flatMap((node) => (isNode(node.declaration) ? childrenOf(node.declaration) : []))
    .filter((node) => node.type === 'VariableDeclarator' && declarers.includes(declarerOf(node)))
    .map((node) => ({ constant: isNode(node.id) ? String(node.id.name) : '', name: nameIn(node.init) }));
}

/** Returns `T` for `const a: T = …` and `f` for `const a = f(…)`. */
function declarerOf({ id, init }: Node): string {
  const annotation = isNode(id) && isNode(id.typeAnnotation) ? id.typeAnnotation.typeAnnotation : undefined;
  if (isNode(annotation)) return isNode(annotation.typeName) ? String(annotation.typeName.name) : '';
  return isNode(init) && isNode(init.callee) ? String(init.callee.name) : '';
}

function nameIn(init: unknown): string | undefined {
  if (!isNode(init)) return undefined;
  const object =
    init.type === 'CallExpression' ? childrenOf(init).find(({ type }) => type === 'ObjectExpression') : init;
  if (object?.type !== 'ObjectExpression') return undefined;
  const property = childrenOf(object).find(({ key }) => isNode(key) && (key.name === 'name' || key.name === 'kind'));
  return isNode(property?.value) && typeof property.value.value === 'string' ? property.value.value : undefined;
}

function misnamed({ path }: Source, { constant, name }: Unit): readonly string[] {
  const expected = path.replace(/^.*\/|\.ts$/g, '');
  const camelCase = expected.replaceAll(/-(.)/g, (_, notification: string) => notification.toUpperCase());
  return [
    ...(constant === camelCase ? [] : [`${path} exports '${constant}', expected '${camelCase}'`]),
    ...(name === undefined || name.replaceAll(/[ _]/g, '-') === expected ? [] : [`${path} declares '${name}'`]),
  ];
}

function isListed(source: Source, list: Source | undefined): boolean {
  return list?.imports.some(({ target }) => target === source.path) === true;
}

function childrenOf(node: Node): readonly Node[] {
  return children(node).map(([, child]) => child);
}

const shortFile = 40;
const allowedShare = 0.05;

/** A file under 40 lines has two importers or is a unit, with an allowance of 5 % of the files. */
export const mergeShortFiles: Rule = {
  name: 'at most 5 % of the files of src are short files with one importer',
  check: (project) => {
    const sources = below(project, 'src');
    const short = shortFilesWithOneImporter(sources);
    return short.length <= sources.length * allowedShare
      ? []
      : short.map(({ path, lines }) => `${path} has ${lines} lines and one importer`);
  },
};

/** Returns files under 40 lines that only one other file imports, and no list of units. */
function shortFilesWithOneImporter(sources: Project): Project {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of sources)
    for (const { target } of imports)
      if (target !== undefined) importers.set(target, (importers.get(target) ?? new Set()).add(path));
  return sources.filter(({ path, lines }) => {
    const found = [...(importers.get(path) ?? [])];
    return lines < shortFile && found.length === 1 && !found.some((importer) => importer.endsWith('/all.ts'));
  });
}
