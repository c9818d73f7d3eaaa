import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A syntax node, as far as the rules care: its kind, its place, and children among its fields. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** One import or re-export: what it names, and the project file it means where it is a relative one. */
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
  lineAt(offset: number): number;
}

/** The files that the rules look at. */
export type Project = readonly Source[];

/** Something that must hold for the whole project; `check` gives one sentence per violation, with `file:line`. */
export interface Rule {
  readonly name: string;
  check(project: Project): readonly string[];
}

/** Tells a syntax node from everything else that a field of one may hold. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The direct children of a node with the field that holds each. */
export function* children(node: Node): Generator<readonly [field: string, child: Node]> {
  for (const [field, value] of Object.entries(node)) {
    for (const item of Array.isArray(value) ? value : [value]) if (isNode(item)) yield [field, item];
  }
}

/** The node and everything below it. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const [, child] of children(node)) yield* walk(child);
}

/** Parses one file; a syntax error throws, since nothing can be said about such a file. */
export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
  const program: unknown = parsed.program;
  if (!isNode(program)) throw new Error(`${path}: no program`);
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
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

/** Parses the given texts by path: what the rules' own tests use. */
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

/** The sources below one of the top folders (`src`, `test` …). */
export function below(project: Project, folder: string): Project {
  return project.filter((source) => source.path.startsWith(`${folder}/`));
}

/** `src/collect/health.ts` is in `collect`; a file directly in `src` is its own folder (`main.ts`). */
export function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
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
