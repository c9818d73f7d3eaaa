import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A syntax node: its kind, its position, and its fields, some of which are child nodes. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** One import or re-export. `target` is the path of the imported file if the specifier is relative. */
export interface Import {
  readonly specifier: string;
  readonly target: string | undefined;
  readonly line: number;
}

/** One parsed file. `path` is relative to the project, with forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly program: Node;
  readonly comments: readonly { readonly value: string; readonly type: string; start: number; end: number }[];
  readonly imports: readonly Import[];
  readonly lineAt: (offset: number) => number;
}

/** Parsed files of a project. */
export type Project = readonly Source[];

/** A rule for the whole project. `check` returns one text per violation, with `file:line`. */
export interface Rule {
  readonly name: string;
  check(project: Project): readonly string[];
}

/** Whether the value of a field is a syntax node. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns the direct children of a node, each with the name of its field. */
export function children(node: Node): readonly (readonly [field: string, child: Node])[] {
  const found: (readonly [field: string, child: Node])[] = [];
  visitChildren(node, (child, field) => found.push([field, child]));
  return found;
}

/** Calls a function for each direct child of a node, in order. */
export function visitChildren(node: Node, visit: (child: Node, field: string) => unknown): void {
  for (const field in node) {
    const value = node[field];
    // Most fields are texts and numbers.
    if (typeof value !== 'object') continue;
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) visit(item, field);
  }
}

/** All nodes of each program. Most rules visit all of them. */
const nodesByProgram = new WeakMap<Node, readonly Node[]>();

/** Returns a node and all its descendants, parents first. */
export function walk(node: Node): readonly Node[] {
  const known = nodesByProgram.get(node);
  if (known !== undefined) return known;
  const nodes: Node[] = [];
  const add = (one: Node): void => {
    nodes.push(one);
    visitChildren(one, add);
  };
  add(node);
  if (node.type === 'Program') nodesByProgram.set(node, nodes);
  return nodes;
}

/** Parses one file. Throws if it has a syntax error. */
export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
  const program: unknown = parsed.program;
  if (!isNode(program)) throw new Error(`${path}: no program`);
  const lineAt = lineCounter(text);
  return {
    path,
    text,
    lines: countLines(text),
    program,
    comments: parsed.comments,
    imports: [...importsOf(program, path, lineAt)],
    lineAt,
  };
}

/** Parses texts by path, for tests of the rules. */
export function projectOf(files: Readonly<Record<string, string>>): Project {
  return Object.entries(files).map(([path, text]) => parseSource(path, text));
}

/** Parses every TypeScript file below the named folders of `root`. */
export function readProject(root: string, folders: readonly string[]): Project {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => parseSource(posix.relative(root, file), readFileSync(file, 'utf8')));
}

/** Returns the sources below a top-level folder such as `src`. */
export function below(project: Project, folder: string): Project {
  return project.filter((source) => source.path.startsWith(`${folder}/`));
}

/** Returns `collect` for `src/collect/health.ts`, and the name of a file that is directly in `src`. */
export function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Returns a function that finds the line of an offset by binary search. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

const importing = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
];

function* importsOf(program: Node, path: string, lineAt: (offset: number) => number): Generator<Import> {
  for (const node of walk(program)) {
    if (!importing.includes(node.type) || !isNode(node.source)) continue;
    const specifier = String(node.source.value);
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
    yield { specifier, target, line: lineAt(node.start) };
  }
}
