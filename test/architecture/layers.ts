import { below, folderOf, type Import, type Project, type Rule, type Source } from './project.ts';

/**
 * Layers of `src`, lowest first. A file imports only from its own folder or from a lower layer; folders of one layer never
 * import each other. This table is the architecture document and has no exceptions.
 */
const layers: readonly (readonly string[])[] = [
  ['kernel'],
  ['model', 'metric'],
  ['graphdb', 'runtime'],
  ['collect', 'track', 'guard', 'alert', 'notify', 'expose', 'trace', 'simulator'],
  ['config', 'api'],
  ['app/ports'],
  ['app/tracing'],
  ['app/poll'],
  ['app/guard', 'app/incidents'],
  ['app/page'],
  ['app/api'],
  ['app'],
  ['cli'],
  ['main.ts'],
];

const featureModules = ['collect', 'track', 'guard', 'alert', 'notify', 'expose', 'trace', 'simulator'];
const effectfulFolders = ['runtime', 'main.ts'];

/** Folders of `src` that may import a package. Packages that are not listed cannot be imported. */
const packages: Readonly<Record<string, readonly string[]>> = {
  zod: ['graphdb', 'config', 'api', ...featureModules],
  yaml: ['config'],
  commander: ['cli'],
  'cli-table3': ['cli'],
  undici: effectfulFolders,
  pino: effectfulFolders,
  'pino-pretty': effectfulFolders,
  'prom-client': effectfulFolders,
  'node-cron': effectfulFolders,
  bcryptjs: effectfulFolders,
  nodemailer: effectfulFolders,
  pg: effectfulFolders,
  '@opentelemetry/api': effectfulFolders,
  '@opentelemetry/exporter-trace-otlp-proto': effectfulFolders,
  '@opentelemetry/exporter-metrics-otlp-proto': effectfulFolders,
  '@opentelemetry/resources': effectfulFolders,
  '@opentelemetry/sdk-metrics': effectfulFolders,
  '@opentelemetry/sdk-trace': effectfulFolders,
};

/** Node built-ins without side effects, with the folders that may import them. */
const pureBuiltIns: Readonly<Record<string, readonly string[]>> = {
  'node:zlib': ['expose', 'simulator'],
  'node:buffer': ['expose', 'simulator'],
  'node:util': ['cli', 'expose'],
};

/** Folders that some higher layers may not import either. */
const hidden: Readonly<Record<string, (from: string) => boolean>> = {
  runtime: (from) => from !== 'main.ts' && from !== 'runtime',
  graphdb: (from) => from === 'simulator',
};

/** Enforces the table of layers. */
export const respectLayers: Rule = {
  name: 'a file imports only from its own folder or from a lower layer',
  check: (project) => overImports(project, crossing),
};

/** Keeps side effects in the runtime: packages and built-ins are imported only where the tables allow them. */
export const importPackagesAtTheEdge: Rule = {
  name: 'only the runtime and main.ts import built-ins and packages with effects',
  check: (project) => overImports(project, misplaced),
};

/** Forbids a file that imports itself through others, type imports included. */
export const avoidCycles: Rule = {
  name: 'no import cycles',
  check: (project) => {
    const graph = new Map(project.map((source) => [source.path, source.imports.flatMap((one) => one.target ?? [])]));
    return [...graph.keys()]
      .filter((path) => reaches(graph, path))
      .map((path) => `${path} imports itself through other files`);
  },
};

function overImports(
  project: Project,
  problemOf: (source: Source, one: Import) => string | undefined,
): readonly string[] {
  return below(project, 'src').flatMap((source) =>
    source.imports.flatMap((one) => {
      const text = problemOf(source, one);
      return text === undefined ? [] : [`${source.path}:${one.line} ${text}`];
    }),
  );
}

function crossing(source: Source, { target, specifier }: Import): string | undefined {
  const from = layeredFolder(source.path);
  const own = layerOf(from);
  if (own < 0) return `is in '${from}', which has no layer`;
  if (target === undefined) return undefined;
  if (!target.startsWith('src/'))
    return effectfulFolders.includes(from) && target.endsWith('.json') ? undefined : `leaves src: ${specifier}`;
  const to = layeredFolder(target);
  const theirs = layerOf(to);
  if (theirs < 0) return `imports from '${to}', which has no layer`;
  if (from === to) return undefined;
  return theirs >= own || hidden[to]?.(from) === true
    ? `'${from}' must not import from '${to}': ${specifier}`
    : undefined;
}

/** Returns the folder below `src`; in `src/app`, with its subfolder. */
function layeredFolder(path: string): string {
  const [, folder = '', subfolder = '', ...rest] = path.split('/');
  return folder === 'app' && rest.length > 0 ? `${folder}/${subfolder}` : folder;
}

function layerOf(folder: string): number {
  return layers.findIndex((folders) => folders.includes(folder));
}

function misplaced(source: Source, { target, specifier }: Import): string | undefined {
  if (target !== undefined) return undefined;
  const from = folderOf(source.path);
  if (specifier.startsWith('node:')) {
    const allowed = effectfulFolders.includes(from) || (pureBuiltIns[specifier] ?? []).includes(from);
    return allowed ? undefined : `'${from}' may not import ${specifier}`;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return (packages[name] ?? []).includes(from) ? undefined : `'${from}' may not import ${specifier}`;
}

function reaches(graph: ReadonlyMap<string, readonly string[]>, start: string): boolean {
  const seen = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === start) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return false;
}
