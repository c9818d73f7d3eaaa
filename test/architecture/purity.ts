import { below, folderOf, isNode, type Node, type Rule, visitChildren, walk } from './project.ts';

const forbiddenGlobals = [
  'process',
  'performance',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'globalThis',
  'global',
  'console',
  'crypto',
  'require',
];
const forbiddenMembers = ['Date.now', 'Math.random', 'AbortSignal.timeout'];
const effectfulFolders = ['runtime', 'main.ts'];
const moduleMocks = /^(?:vi|vitest)\.(?:mock|doMock|hoisted|useFakeTimers|stubGlobal)$/;
const skippedTests = /^(?:it|test|describe)\.(?:skip|only|todo|fails)$/;

/** Requires that pure files get clock, randomness and environment as arguments, so that their tests need no real time. */
export const forbidEffectsInPureFiles: Rule = {
  name: 'no clock, randomness, environment, timer or global outside runtime and main.ts',
  check: (project) =>
    below(project, 'src')
      .filter(({ path }) => !effectfulFolders.includes(folderOf(path)))
      .flatMap((source) => {
        const local = bindings(source.program);
        return references(source.program)
          .filter(({ name }) => forbiddenMembers.includes(name) || isForbiddenGlobal(name, local))
          .map(({ name, node }) => `${source.path}:${source.lineAt(node.start)} ${name}`);
      }),
};

/** Forbids mocks of modules, globals and timers, and skipped tests. Fakes are injected instead. */
export const forbidModuleMocks: Rule = {
  name: 'no test mocks modules, globals or timers, and no test is skipped permanently',
  check: (project) =>
    below(project, 'test').flatMap((source) =>
      references(source.program)
        .filter(({ name }) => moduleMocks.test(name) || skippedTests.test(name))
        .map(({ name, node }) => `${source.path}:${source.lineAt(node.start)} ${name}`),
    ),
};

/** Forbids real delays where the clock is injected: they make tests slow and flaky. */
export const forbidSleepInPureTests: Rule = {
  name: 'no test of a pure folder waits in real time',
  check: (project) =>
    below(project, 'test')
      .filter(({ path }) =>
        ['kernel', 'model', 'metric', 'collect', 'config', 'app', 'expose'].includes(folderOf(path)),
      )
      .filter(({ text }) => /setTimeout|setInterval/.test(text))
      .flatMap((source) =>
        references(source.program)
          .filter(({ name }) => name === 'setTimeout' || name === 'setInterval')
          .map(({ name, node }) => `${source.path}:${source.lineAt(node.start)} ${name}`),
      ),
};

/** Forbids casts, which the compiler cannot check. */
export const forbidCasts: Rule = {
  name: 'no any, no cast but `as const`, no non-null assertion except in tests',
  check: (project) =>
    ['src', 'tools', 'campaigns']
      .flatMap((folder) => below(project, folder))
      .flatMap((source) =>
        walk(source.program)
          .filter((node) => isCast(node, source.text))
          .map(
            (node) =>
              `${source.path}:${source.lineAt(node.start)} ${source.text.slice(node.start, node.end).slice(0, 60)}`,
          ),
      ),
};

interface Reference {
  /** `Date.now` for a member of a name, `process` for a name alone. */
  readonly name: string;
  readonly node: Node;
}

function references(node: Node, found: Reference[] = []): readonly Reference[] {
  if (node.type === 'Identifier') found.push({ name: String(node.name), node });
  if (node.type === 'MemberExpression' && isNode(node.object) && isNode(node.property) && node.computed !== true) {
    found.push({ name: `${String(node.object.name)}.${String(node.property.name)}`, node });
  }
  if (node.type === 'NewExpression' && isBareDate(node)) found.push({ name: 'Date.now', node });
  visitChildren(node, (child, field) => isOnlyName(node, field) || references(child, found));
  return found;
}

/** Whether an identifier is only a name, such as `b` in `a.b` or `key` in `{ key: … }`, and not a reference. */
function isOnlyName(node: Node, field: string): boolean {
  if (node.computed === true) return false;
  if (node.type === 'Property' && node.shorthand === true) return field === 'key';
  return field === 'key' || (node.type === 'MemberExpression' && field === 'property') || field === 'typeAnnotation';
}

function isBareDate({ callee, arguments: given }: Node): boolean {
  return isNode(callee) && callee.name === 'Date' && Array.isArray(given) && given.length === 0;
}

function isForbiddenGlobal(name: string, local: ReadonlySet<string>): boolean {
  return forbiddenGlobals.includes(name) && !local.has(name);
}

/** Returns names that the file itself declares: parameters, variables, functions, imports. */
function bindings(program: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of walk(program)) {
    for (const bound of boundBy(node).filter(isNode)) {
      for (const { name } of references(bound)) names.add(name);
    }
  }
  return names;
}

function boundBy(node: Node): readonly unknown[] {
  const named = ['VariableDeclarator', 'FunctionDeclaration'].includes(node.type) ? node.id : undefined;
  return [named, node.type.startsWith('Import') ? node.local : undefined, ...listOf(node.params)];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isCast(node: Node, text: string): boolean {
  if (node.type === 'TSAnyKeyword' || node.type === 'TSNonNullExpression' || node.type === 'TSTypeAssertion')
    return true;
  if (node.type !== 'TSAsExpression' || !isNode(node.typeAnnotation)) return false;
  return text.slice(node.typeAnnotation.start, node.typeAnnotation.end) !== 'const';
}
