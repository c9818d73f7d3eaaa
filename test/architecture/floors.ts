import { below, folderOf, type Import, type Project, type Rule, type Source } from './project.ts';

/**
 * The table of the architecture: a file imports from its own folder or from a strictly lower floor. Folders
 * on one floor never see each other. This is the document; there is no list of exceptions.
 */
const floors: Readonly<Record<string, number>> = {
  kernel: 0,
  model: 1,
  metric: 1,
  graphdb: 2,
  runtime: 2,
  collect: 3,
  track: 3,
  guard: 3,
  alert: 3,
  notify: 3,
  expose: 3,
  trace: 3,
  simulator: 3,
  config: 4,
  app: 5,
  cli: 6,
  'main.ts': 7,
};

const wings = ['collect', 'track', 'guard', 'alert', 'notify', 'expose', 'trace', 'simulator'];
const realWorld = ['runtime', 'main.ts'];

/** Who may import which package or built-in. What is not here nobody in `src` may import. */
const packages: Readonly<Record<string, readonly string[]>> = {
  zod: ['graphdb', 'config', ...wings],
  yaml: ['config'],
  undici: realWorld,
  pino: realWorld,
  'pino-pretty': realWorld,
  'prom-client': realWorld,
  'node-cron': realWorld,
  bcryptjs: realWorld,
  nodemailer: realWorld,
  '@opentelemetry/api': realWorld,
  '@opentelemetry/exporter-trace-otlp-proto': realWorld,
  '@opentelemetry/sdk-node': realWorld,
};

/** Built-ins that compute and touch nothing outside, with the folders that need them. */
const pureBuiltIns: Readonly<Record<string, readonly string[]>> = {
  'node:zlib': ['expose', 'simulator'],
  'node:buffer': ['expose', 'simulator'],
  'node:util': ['cli', 'expose'],
};

/** Folders that some lower or equal floor may still not see. */
const hidden: Readonly<Record<string, (from: string) => boolean>> = {
  runtime: (from) => from !== 'main.ts' && from !== 'runtime',
  graphdb: (from) => from === 'simulator',
};

/** The floors themselves. */
export const respectFloors: Rule = {
  name: 'imports go to the own folder or to a strictly lower floor',
  check: (project) => overImports(project, crossing),
};

/** Effects at the edge: packages and built-ins where the table allows them. */
export const importPackagesAtTheEdge: Rule = {
  name: 'only the runtime and main.ts import built-ins and packages with effects',
  check: (project) => overImports(project, misplaced),
};

/** No file reaches itself through its imports, types included. */
export const avoidCycles: Rule = {
  name: 'no import cycles',
  check: (project) => {
    const graph = new Map(project.map((source) => [source.path, source.imports.flatMap((one) => one.target ?? [])]));
    return [...graph.keys()].filter((path) => reaches(graph, path)).map((path) => `${path} imports itself in the end`);
  },
};

function overImports(
  project: Project,
  complaint: (source: Source, one: Import) => string | undefined,
): readonly string[] {
  return below(project, 'src').flatMap((source) =>
    source.imports.flatMap((one) => {
      const text = complaint(source, one);
      return text === undefined ? [] : [`${source.path}:${one.line} ${text}`];
    }),
  );
}

function crossing(source: Source, { target, specifier }: Import): string | undefined {
  const from = folderOf(source.path);
  const own = floors[from];
  if (own === undefined) return `is in '${from}', which stands on no floor`;
  if (target === undefined) return undefined;
  if (!target.startsWith('src/'))
    return realWorld.includes(from) && target.endsWith('.json') ? undefined : `leaves src: ${specifier}`;
  const to = folderOf(target);
  const theirs = floors[to];
  if (theirs === undefined) return `imports from '${to}', which stands on no floor`;
  if (from === to) return undefined;
  return theirs >= own || hidden[to]?.(from) === true
    ? `'${from}' may not import from '${to}': ${specifier}`
    : undefined;
}

function misplaced(source: Source, { target, specifier }: Import): string | undefined {
  if (target !== undefined) return undefined;
  const from = folderOf(source.path);
  if (specifier.startsWith('node:')) {
    const allowed = realWorld.includes(from) || (pureBuiltIns[specifier] ?? []).includes(from);
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
