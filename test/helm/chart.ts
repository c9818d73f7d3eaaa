import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { findTool, requireTool } from '../support/tools.ts';

/** Where the chart is. */
export const chart = resolve('helm/graphwarden');
/** Its program, or undefined where these tests are skipped. */
export const helm = findTool('helm');
/** Program that renders many sets of values at once, or undefined where these tests are skipped. */
export const helmRender = findTool('helm-render');

const mapping = z.record(z.string(), z.unknown());
const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  data: z.record(z.string(), z.string()).optional(),
  spec: mapping.optional(),
});

/** A Kubernetes object, as far as tests look at it. */
export type Manifest = z.infer<typeof manifest>;

/** What `helm template` made of some values. */
export interface Rendering {
  readonly text: string;
  readonly objects: readonly Manifest[];
  /** The only object of a kind, or the one of that name; throws if it is missing. */
  one(kind: string, name?: string): Manifest;
  has(kind: string): boolean;
}

/** How the chart is rendered. */
export interface RenderOptions {
  /** A file of `ci`, without its ending. */
  readonly file?: string;
  readonly values?: unknown;
  readonly kubernetes?: string;
}

const templateResult = z.object({ text: z.string(), error: z.string() });

/** Text of the templates, or the error that refuses the values. */
export type TemplateResult = z.infer<typeof templateResult>;

/** The value files that come with the chart. */
export const valueFiles = readdirSync(join(chart, 'ci')).map((name) => name.replace(/-values\.yaml$/, ''));

/** Text of the manifests, or the error with which helm refuses the values. */
interface HelmResult {
  readonly text: string;
  readonly error: string;
  /** Notes after an installation; `helm template` has none. */
  readonly notes?: string | undefined;
}

const rendered = new Map<string, HelmResult>();
const notesHead = /^---\n# Source: .*NOTES\.txt\n/;

/**
 * Renders many sets of values in one process, for later calls of {@link template} with one of them. Without its program
 * these calls render them.
 */
export function renderAll(sets: readonly unknown[]): void {
  if (helmRender === undefined) return;
  renderSettings(
    sets.map((values) => ({ values })),
    sets,
  );
}

/** Renders the settings, whose values are the `sets`. */
function renderSettings(settings: readonly RenderOptions[], sets: readonly unknown[]): void {
  for (const [at, { text, error }] of templates(sets).entries()) {
    const parts = text.split(/^(?=---\n# Source: )/m);
    const notes = parts.find((part) => notesHead.test(part));
    // As helm does, without what templates make nothing of.
    const manifests = parts.filter((part) => part !== notes && /\n.*\n\s*\S/.test(part)).join('');
    const result = { text: manifests, error, notes: notes?.replace(notesHead, '') };
    rendered.set(JSON.stringify(settings[at]), result);
  }
}

/** Renders the chart for a release `x` in `db`, or gives what helm says against it. */
export function template(setting: RenderOptions): HelmResult {
  const isFile = setting.file !== undefined && Object.keys(setting).length === 1;
  // Most tests that need one file need others as well.
  if (isFile && helmRender !== undefined && !rendered.has(JSON.stringify(setting)))
    renderSettings(
      valueFiles.map((file) => ({ file })),
      valueFiles.map((file) => parse(readFileSync(valueFile(file), 'utf8'))),
    );
  return rendered.get(JSON.stringify(setting)) ?? renderedByHelm(setting);
}

/** Returns the path of a file of `ci`. */
export function valueFile(name: string): string {
  return join(chart, 'ci', `${name}-values.yaml`);
}

function renderedByHelm(setting: RenderOptions): HelmResult {
  const args = ['template', 'x', chart, '--namespace', 'db', '--kube-version', setting.kubernetes ?? '1.35.0'];
  if (setting.file !== undefined) args.push('--values', valueFile(setting.file));
  if (setting.values !== undefined) args.push('--values', '-');
  const input = JSON.stringify(setting.values ?? null);
  const ran = spawnSync(requireTool('helm'), args, { input, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  return { text: ran.stdout, error: ran.status === 0 ? '' : ran.stderr };
}

/**
 * Renders the chart with each set of values, in one process, with the templates of a major version of Helm. `text` has all
 * templates, with the notes.
 */
export function templates(sets: readonly unknown[], version: 3 | 4 = 4): readonly TemplateResult[] {
  const input = sets.map((values) => JSON.stringify(values)).join('\n');
  const { status, stdout, stderr } = spawnSync(requireTool('helm-render'), [...(version === 3 ? ['-3'] : []), chart], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 29,
  });
  if (status !== 0) throw new Error(stderr);
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => templateResult.parse(JSON.parse(line)));
}

/** The objects in a text of several documents. */
export function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .flatMap((content) => (content === null ? [] : [manifest.parse(content)]));
}

const renderings = new Map<string, Rendering>();

/** Renders valid values; the same values are rendered once. */
export function rendering(setting: RenderOptions): Rendering {
  const key = JSON.stringify(setting);
  const made = renderings.get(key) ?? renderedNow(setting);
  renderings.set(key, made);
  return made;
}

function renderedNow(setting: RenderOptions): Rendering {
  const { text, error } = template(setting);
  if (error !== '') throw new Error(error);
  const objects = manifestsIn(text);
  return {
    text,
    objects,
    has: (kind) => objects.some((object) => object.kind === kind),
    one: (kind, name) => {
      const found = objects.filter(
        (object) => object.kind === kind && (name ?? object.metadata.name) === object.metadata.name,
      );
      const [first] = found;
      if (first === undefined || found.length > 1)
        throw new Error(`${found.length} objects are a ${kind} ${name ?? ''}`);
      return first;
    },
  };
}

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.array(z.looseObject({ name: z.string() })).optional(),
  ports: z.array(z.looseObject({ name: z.string(), containerPort: z.number() })).optional(),
  resources: z.looseObject({ requests: mapping.optional(), limits: mapping.optional() }).optional(),
  securityContext: mapping.optional(),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).optional(),
  restartPolicy: z.string().optional(),
});

/** One container of a pod. */
export type Container = z.infer<typeof container>;

/** The parts of a pod that tests look at. */
export const podSpec = z.looseObject({
  containers: z.array(container).default([]),
  initContainers: z.array(container).default([]),
  volumes: z.array(z.looseObject({ name: z.string() })).default([]),
});

/** A pod, as a template describes it. */
export type PodSpec = z.infer<typeof podSpec>;

const workload = z.looseObject({ template: z.looseObject({ metadata: z.looseObject({}), spec: podSpec }) });

/** The pod that a Deployment or a StatefulSet describes. */
export function podOf({ spec }: Manifest): PodSpec {
  return workload.parse(spec).template.spec;
}

/** The pod of the daemon, and the first container of it. */
export function daemonPod(made: Rendering): { readonly pod: PodSpec; readonly daemon: Container } {
  const pod = podOf(made.one('Deployment'));
  const daemon = pod.containers.find(({ name }) => name === 'graphwarden');
  if (daemon === undefined) throw new Error('the Deployment has no container graphwarden');
  return { pod, daemon };
}

/** The configuration files in a rendering, as they are. */
export function configFiles(made: Rendering): readonly string[] {
  return made.objects.flatMap(({ data }) => data?.['graphwarden.yml'] ?? []);
}

/** Content of a Secret, as text. */
export function secretContent(secret: Manifest | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(secret?.data ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

/** The `Authorization` header with which Prometheus scrapes. */
export function scraperHeaders(made: Rendering): { readonly authorization: string } {
  const { username, password } = secretContent(made.one('Secret', 'x-graphwarden-scraper'));
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** The configuration of the daemon, as data. */
export function daemonConfig(made: Rendering): unknown {
  const { data } = made.one('ConfigMap', 'x-graphwarden');
  return parse(data?.['graphwarden.yml'] ?? '');
}
