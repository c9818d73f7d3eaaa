import { below, isNode, type Node, type Project, type Rule, type Source, visitChildren, walk } from './project.ts';

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'TSDeclareFunction'];
const signatures = [...functions, 'TSMethodSignature', 'TSFunctionType'];
const deepening = [
  'IfStatement',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
];

/** Limits the length of files. */
export const keepFilesShort: Rule = {
  name: 'no file is longer than 300 lines',
  check: (project) =>
    project.filter((source) => source.lines > 300).map((source) => `${source.path} has ${source.lines} lines`),
};

/** Limits the length of the entry point, which contains only wiring. */
export const keepMainShort: Rule = {
  name: 'main.ts is no longer than 60 lines',
  check: (project) =>
    project
      .filter((source) => source.path === 'src/main.ts' && source.lines > 60)
      .map((source) => `${source.path} has ${source.lines} lines`),
};

/** Limits the length of functions. Test files are exempt: their `describe` blocks are lists. */
export const keepFunctionsShort: Rule = {
  name: 'no function is longer than 50 lines',
  check: (project) =>
    overNodes(outsideTests(project), functions, (node, source) => {
      const length = source.lineAt(node.end) - source.lineAt(node.start) + 1;
      return length > 50 ? `a function of ${length} lines` : undefined;
    }),
};

/** Limits the number of parameters. More belong in an object. */
export const limitParameters: Rule = {
  name: 'no function takes more than four parameters',
  check: (project) =>
    overNodes(project, signatures, (node) => {
      const count = parametersOf(node).length;
      return count > 4 ? `a function of ${count} parameters` : undefined;
    }),
};

/** Limits nesting. An `else if` is not deeper than its `if`. */
export const limitNesting: Rule = {
  name: 'no statement is nested deeper than three',
  check: (project) =>
    project.flatMap((source) =>
      nested(source.program, 0).map(
        (node) => `${source.path}:${source.lineAt(node.start)} the fourth level of nesting`,
      ),
    ),
};

/** Requires the same position for the signal in every cancellable function. */
export const putSignalsLast: Rule = {
  name: 'an AbortSignal is the last parameter',
  check: (project) =>
    overNodes(below(project, 'src'), signatures, (node, source) => {
      const kinds = parametersOf(node).map((parameter) => source.text.slice(parameter.start, parameter.end));
      const misplaced = kinds
        .slice(0, -1)
        .some((text) => /^(?:readonly )?\w+\??:\s*AbortSignal\b/.test(text) && !text.startsWith('this'));
      return misplaced ? 'an AbortSignal before another parameter' : undefined;
    }),
};

function outsideTests(project: Project): Project {
  return project.filter((source) => !source.path.startsWith('test/'));
}

function overNodes(
  project: Project,
  types: readonly string[],
  problemOf: (node: Node, source: Source) => string | undefined,
): readonly string[] {
  return project.flatMap((source) =>
    walk(source.program).flatMap((node) => {
      const text = types.includes(node.type) ? problemOf(node, source) : undefined;
      return text === undefined ? [] : [`${source.path}:${source.lineAt(node.start)} ${text}`];
    }),
  );
}

function parametersOf(node: Node): readonly Node[] {
  return Array.isArray(node.params) ? node.params.filter(isNode) : [];
}

function nested(node: Node, depth: number, { isElseIf = false, found = [] }: Nesting = {}): readonly Node[] {
  const isDeepening = deepening.includes(node.type);
  const deeper = isDeepening && !isElseIf ? depth + 1 : depth;
  if (deeper > 3 && isDeepening) found.push(node);
  visitChildren(node, (child, field) => {
    const isNextElseIf = node.type === 'IfStatement' && field === 'alternate' && child.type === 'IfStatement';
    nested(child, functions.includes(child.type) ? 0 : deeper, { isElseIf: isNextElseIf, found });
  });
  return found;
}

interface Nesting {
  readonly isElseIf?: boolean;
  /** Gets the nodes that are nested too deeply. */
  readonly found?: Node[];
}
