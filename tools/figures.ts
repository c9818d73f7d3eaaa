import { dirname } from 'node:path';
import { writePlainWords } from '../test/architecture/plain-words.ts';
import {
  below,
  children,
  isNode,
  type Node,
  type Project,
  readProject,
  type Source,
  walk,
} from '../test/architecture/project.ts';
import { forbidCasts } from '../test/architecture/purity.ts';

/** Figure with its maximum. */
interface Bar {
  readonly name: string;
  readonly value: number;
  readonly most: number;
}

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const shortFile = 40;

const project = readProject(process.cwd(), ['src', 'test', 'tools', 'campaigns']);
const source = below(project, 'src');
const importers = importersOf(source);
const lengths = source.flatMap(functionLengths).toSorted((a, b) => a - b);
const lonely = source.filter((file) => file.lines < shortFile && importersIn(file) === 1 && !isUnit(file));
const bars: readonly Bar[] = [
  { name: 'function length, 90th percentile', value: quantile(lengths, 0.9), most: 25 },
  { name: 'share of files under 40 lines with one importer, %', value: share(lonely.length, source.length), most: 5 },
  { name: 'refused words', value: writePlainWords.check(project).length, most: 0 },
  { name: 'casts and any', value: forbidCasts.check(project).length, most: 0 },
];

for (const [folder, files] of folders(source)) {
  console.log(
    `${folder.padEnd(34)} ${String(files.length).padStart(4)} files ${String(linesOf(files)).padStart(6)} lines`,
  );
}
console.log(
  `${'src'.padEnd(34)} ${String(source.length).padStart(4)} files ${String(linesOf(source)).padStart(6)} lines`,
);
console.log(`exported names used in one other file only: ${exportedOnce()} of ${exportedNames().length}`);
for (const { name, value, most } of bars)
  console.log(`${value <= most ? 'ok  ' : 'OVER'} ${name}: ${value} (at most ${most})`);
if (process.argv.includes('--list'))
  for (const { path, lines } of lonely) console.log(`  ${path}: ${lines} lines, one importer`);
if (bars.some(({ value, most }) => value > most)) process.exitCode = 1;

function importersOf(files: Project): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      if (target === undefined) continue;
      const known = found.get(target) ?? new Set();
      found.set(target, known.add(path));
    }
  }
  return found;
}

function importersIn({ path }: Source): number {
  return importers.get(path)?.size ?? 0;
}

/** Whether a file is listed in the `all.ts` of its folder, such as a collector. */
function isUnit({ path }: Source): boolean {
  return [...(importers.get(path) ?? [])].some((importer) => /(?:^|\/)all\.ts$/.test(importer));
}

function functionLengths(file: Source): readonly number[] {
  return [...walk(file.program)]
    .filter((node) => functions.includes(node.type))
    .map((node) => file.lineAt(node.end) - file.lineAt(node.start) + 1);
}

function folders(files: Project): ReadonlyMap<string, Source[]> {
  return Map.groupBy(files, ({ path }) => dirname(path));
}

function linesOf(files: Project): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

function quantile(sorted: readonly number[], at: number): number {
  return sorted[Math.floor(sorted.length * at)] ?? 0;
}

function share(part: number, whole: number): number {
  return Math.round((1000 * part) / whole) / 10;
}

function exportedNames(): readonly (readonly [path: string, name: string])[] {
  return source.flatMap((file) =>
    [...children(file.program)]
      .map(([, node]) => node)
      .filter((node) => node.type === 'ExportNamedDeclaration' && isNode(node.declaration))
      .flatMap((node) => namesOf(node.declaration).map((name) => [file.path, name] as const)),
  );
}

function namesOf(declaration: unknown): readonly string[] {
  if (!isNode(declaration)) return [];
  if (isNode(declaration.id)) return [String(declaration.id.name)];
  const list: readonly unknown[] = Array.isArray(declaration.declarations) ? declaration.declarations : [];
  return list.filter(isNode).flatMap((one: Node) => (isNode(one.id) ? [String(one.id.name)] : []));
}

function exportedOnce(): number {
  const users = new Map<string, number>();
  for (const file of source) {
    for (const node of walk(file.program)) {
      if (node.type !== 'ImportSpecifier' || !isNode(node.imported)) continue;
      const name = String(node.imported.name);
      users.set(name, (users.get(name) ?? 0) + 1);
    }
  }
  return exportedNames().filter(([, name]) => users.get(name) === 1).length;
}
