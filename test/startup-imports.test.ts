import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { children, isNode, readProject, type Source } from './architecture/project.ts';

/** Imports of each file. The syntax trees are not retained: other tests in the same worker would collect garbage around them. */
const imports = new Map(readProject(process.cwd(), ['src']).map((source) => [source.path, staticImports(source)]));

/** Specifiers of the imports that are evaluated with the file: neither types nor dynamic imports. */
function staticImports({ program }: Source): readonly string[] {
  return children(program).flatMap(([, node]) => {
    const isImport = node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration';
    return isImport && isNode(node.source) && !isTypeOnly(node) ? [String(node.source.value)] : [];
  });
}

function isTypeOnly(node: ReturnType<typeof children>[number][1]): boolean {
  const named = children(node).filter(([field]) => field === 'specifiers');
  const isInlineType = named.length > 0 && named.every(([, one]) => one.importKind === 'type');
  return node.importKind === 'type' || isInlineType;
}

/** Files and packages that are loaded with the files. */
function loadedWith(...paths: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const folder = posix.dirname(path);
    const names = imports.get(path) ?? [];
    open.push(...names.map((name) => (name.startsWith('.') ? posix.join(folder, name) : name)));
  }
  return loaded;
}

function packagesOf(loaded: ReadonlySet<string>): readonly string[] {
  return [...loaded].filter((name) => !/^(?:src\/|node:|package\.json)/.test(name)).toSorted();
}

/** Modules that every command loads; workers load the first one only. */
const entries = ['src/main.ts', 'src/cli/cli.ts', 'src/cli/commands/all.ts'];

describe('start of the program', () => {
  it.each([
    ['--help', []],
    ['version', ['src/cli/commands/version.ts']],
    ['run', ['src/cli/commands/run.ts']],
  ])('loads the parser only for %s', (_, commands) => {
    const loaded = loadedWith(...entries, ...commands);
    expect(packagesOf(loaded)).toEqual(['commander']);
    expect([...loaded].filter((path) => /^src\/(?:alert|api|app|collect|guard|notify)\//.test(path))).toEqual([]);
  });

  it.each(['alerts', 'queries', 'guard-pause', 'guard-status', 'silence-list', 'abort'])(
    'loads neither rules nor receivers nor collectors for %s',
    (name) => {
      const loaded = loadedWith(...entries, `src/cli/commands/${name}.ts`);
      expect([...loaded].filter((path) => path.endsWith('/all.ts'))).toEqual(['src/cli/commands/all.ts']);
      expect(packagesOf(loaded).filter((one) => !['cli-table3', 'commander', 'zod'].includes(one))).toEqual([]);
    },
  );
});
