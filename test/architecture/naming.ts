import { basename } from 'node:path';
import { below, children, isNode, type Node, type Project, type Rule, type Source, walk } from './project.ts';

const forbiddenWords = [
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'shared',
  'base',
  'impl',
  'manager',
  'index',
];
const forbiddenSuffixes = /(?:Manager|Base|Impl|Utils|Helper|Helpers)$/;
const declarations = ['ClassDeclaration', 'FunctionDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'];

/** Requires file names in lower case with hyphens, without words such as `utils`. */
export const checkFileNames: Rule = {
  name: 'no file or folder has a meaningless name',
  check: (project) =>
    project.flatMap(({ path }) => {
      const parts = path.replace(/(\.[a-z]+)*\.ts$/, '').split('/');
      const meaningless = parts.filter((part) => part.split('-').some((word) => forbiddenWords.includes(word)));
      const wrongCase = /^[a-z0-9.-]+$/.test(basename(path)) ? [] : [basename(path)];
      return [...meaningless, ...wrongCase].map((part) => `${path}: '${part}'`);
    }),
};

/** Forbids names such as `FooManager`, which do not state a purpose. */
export const checkDeclarationNames: Rule = {
  name: 'no declaration ends in Manager, Base, Impl, Utils or Helper',
  check: (project) =>
    overDeclarations(project, ({ name }) => (forbiddenSuffixes.test(name) ? `declares ${name}` : undefined)),
};

/** Requires a doc comment that states the purpose of each exported name. */
export const documentExports: Rule = {
  name: 'each exported name in src has a doc comment',
  check: (project) =>
    below(project, 'src').flatMap((source) =>
      exportsOf(source)
        .filter((node) => !isDocumented(node, source))
        .map(
          (node) =>
            `${source.path}:${source.lineAt(node.start)} ${source.text.slice(node.start, node.start + 60).split('\n')[0]}`,
        ),
    ),
};

/** Allows only named exports, from the file that declares them. */
export const exportByName: Rule = {
  name: 'no default exports, no barrels, no re-exports',
  check: (project) =>
    project.flatMap((source) => {
      const imported = new Set(importedNames(source));
      return walk(source.program)
        .filter((node) => isDefault(node) || isReExport(node, imported))
        .map((node) => `${source.path}:${source.lineAt(node.start)} ${node.type}`);
    }),
};

/** Limits the share of comments. Blank lines do not count. */
export const checkCommentRatio: Rule = {
  name: 'between 10 and 18 of 100 lines of src are comments',
  check: (project) => {
    const sources = below(project, 'src');
    const share = sum(sources, commentLines) / Math.max(1, sum(sources, filledLines));
    return share >= 0.1 && share <= 0.18 ? [] : [`${(share * 100).toFixed(1)} % of the lines of src are comments`];
  },
};

/** Requires constant texts for warnings and errors, so that they can be searched for. Variable data belongs in the fields. */
export const logConstantTexts: Rule = {
  name: 'warnings and errors are logged with constant texts',
  check: (project) =>
    below(project, 'src').flatMap((source) =>
      walk(source.program)
        .filter((node) => node.type === 'CallExpression' && isLogCall(node) && !startsWithText(node))
        .map((node) => `${source.path}:${source.lineAt(node.start)} the log text is not a constant`),
    ),
};

/** Requires that the text of an error is in the field `error`, and one word of a closed set in `reason`. */
export const logErrorsAsError: Rule = {
  name: 'log lines have the text of an error in `error`, not in `reason`',
  check: (project) =>
    below(project, 'src').flatMap((source) =>
      walk(source.program)
        .filter((node) => node.type === 'CallExpression' && isAnyLogCall(node))
        .flatMap((call) => walk(call).filter(hasErrorAsReason))
        .map((node) => `${source.path}:${source.lineAt(node.start)} the text of an error is in the field reason`),
    ),
};

function hasErrorAsReason({ type, key, value }: Node): boolean {
  if (type !== 'Property' || !isNode(key) || key.name !== 'reason' || !isNode(value)) return false;
  const name = isNode(value.property) ? value.property.name : value.name;
  return typeof name === 'string' && /^(?:error|message|problem)$/.test(name);
}

function isAnyLogCall({ callee }: Node): boolean {
  return isNode(callee) && isNode(callee.property) && /^(?:debug|info|warn|error)$/.test(String(callee.property.name));
}

function overDeclarations(
  project: Project,
  problemOf: (found: { readonly name: string }) => string | undefined,
): string[] {
  return project.flatMap((source) =>
    walk(source.program).flatMap((node) => {
      if (!declarations.includes(node.type) || !isNode(node.id)) return [];
      const text = problemOf({ name: String(node.id.name) });
      return text === undefined ? [] : [`${source.path}:${source.lineAt(node.start)} ${text}`];
    }),
  );
}

function exportsOf(source: Source): readonly Node[] {
  return children(source.program)
    .map(([, node]) => node)
    .filter((node) => node.type === 'ExportNamedDeclaration' && isNode(node.declaration));
}

function isDocumented(node: Node, source: Source): boolean {
  return source.comments.some(
    (comment) =>
      comment.type === 'Block' &&
      comment.value.startsWith('*') &&
      comment.end <= node.start &&
      source.text.slice(comment.end, node.start).trim() === '',
  );
}

function isDefault(node: Node): boolean {
  return node.type === 'ExportDefaultDeclaration';
}

function isReExport(node: Node, imported: ReadonlySet<string>): boolean {
  if (node.type === 'ExportAllDeclaration') return true;
  if (node.type !== 'ExportNamedDeclaration') return false;
  return (
    isNode(node.source) || specifiersOf(node).some(({ local }) => isNode(local) && imported.has(String(local.name)))
  );
}

function importedNames(source: Source): readonly string[] {
  return children(source.program)
    .filter(([, node]) => node.type === 'ImportDeclaration')
    .flatMap(([, node]) => specifiersOf(node))
    .flatMap(({ local }) => (isNode(local) ? [String(local.name)] : []));
}

function specifiersOf(node: Node): readonly Node[] {
  return Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
}

function isLogCall({ callee }: Node): boolean {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return false;
  if (!isNode(callee.property) || !['warn', 'error'].includes(String(callee.property.name))) return false;
  const owner = isNode(callee.object) && isNode(callee.object.property) ? callee.object.property : callee.object;
  return isNode(owner) && /^#?log(ger)?$/.test(String(owner.name));
}

function startsWithText(call: Node): boolean {
  const first: unknown = Array.isArray(call.arguments) ? call.arguments[0] : undefined;
  return isNode(first) && first.type === 'Literal';
}

function commentLines(source: Source): number {
  const touched = new Set<number>();
  for (const { start, end } of source.comments) {
    const from = source.lineAt(start);
    const to = source.lineAt(end);
    for (let line = from; line <= to; line += 1) touched.add(line);
  }
  return touched.size;
}

function filledLines(source: Source): number {
  return source.text.split('\n').filter((line) => line.trim() !== '').length;
}

function sum(sources: Project, measure: (source: Source) => number): number {
  return sources.reduce((total, source) => total + measure(source), 0);
}
