import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Package of the base image, as its package database names it. */
export interface BasePackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

/** Contents of an image without the program. */
export interface BaseContents {
  /** ID and version in `os-release`, such as `debian` and `13`. */
  readonly system: { readonly id: string; readonly version: string };
  /** Undefined if the base has no package database that is known. */
  readonly packages: readonly BasePackage[] | undefined;
  readonly node: { readonly version: string; readonly libraries: Readonly<Record<string, string>> };
}

const component = z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() });
const program = z.looseObject({
  metadata: z.looseObject({ component }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** Path of Node in the base image, as in the Dockerfile. */
const nodePath = 'nodejs/bin/node';

/** Names in `process.versions` that are no libraries. */
const notLibraries = ['node', 'modules', 'napi'];

/** Reads the contents of a base image from its file system. Throws if there is no Node. */
export function readContents(root: string, builder = process.versions): BaseContents {
  const node = nodeVersion(readFileSync(join(root, nodePath)));
  const isSame = node === builder.node;
  const libraries = Object.entries(builder).filter(([name]) => isSame && !notLibraries.includes(name));
  return {
    system: readSystem(root),
    packages: readPackages(root),
    node: { version: node, libraries: Object.fromEntries(libraries.map(([name, version]) => [name, version ?? ''])) },
  };
}

/** Returns the version of a Node executable from the URL of its source in it, because it may be for another platform. */
export function nodeVersion(code: Buffer): string {
  const [, version] = /\/node-v(\d+\.\d+\.\d+)\.tar\.gz/.exec(code.toString('latin1')) ?? [];
  if (version === undefined) throw new Error(`${nodePath} of the base image is not a release of Node`);
  return version;
}

function readSystem(root: string): BaseContents['system'] {
  const path = ['etc/os-release', 'usr/lib/os-release']
    .map((name) => join(root, name))
    .find((name) => existsSync(name));
  const text = path === undefined ? '' : readFileSync(path, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? 'unknown';
  return { id: field('ID'), version: field('VERSION_ID') };
}

/** Reads the packages of dpkg: Debian has one file, an image without a package manager one file for each package. */
function readPackages(root: string): readonly BasePackage[] | undefined {
  const [file, folder] = [join(root, 'var/lib/dpkg/status'), join(root, 'var/lib/dpkg/status.d')];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.md5sums')) : [];
  const texts = [...(existsSync(file) ? [file] : []), ...names.map((name) => join(folder, name))];
  if (texts.length === 0) return undefined;
  return parsePackages(texts.map((path) => readFileSync(path, 'utf8')).join('\n\n'));
}

/** Parses the status of dpkg. Packages that were removed are not listed. */
export function parsePackages(text: string): readonly BasePackage[] {
  const packages = text.split(/\n{2,}/).flatMap((stanza) => {
    const field = (name: string): string => new RegExp(`^${name}: *(.*)$`, 'm').exec(stanza)?.[1] ?? '';
    const isInstalled = field('Status') === '' || field('Status').startsWith('install ok');
    const found = { name: field('Package'), version: field('Version'), architecture: field('Architecture') };
    return isInstalled && found.name !== '' ? [found] : [];
  });
  return packages.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the CycloneDX document of a whole image, from that of the program and the contents of the base, without a date. */
export function imageBill(document: unknown, base: BaseContents, version: string) {
  const { metadata, components, dependencies } = program.parse(document);
  const image = { 'bom-ref': 'image', type: 'container', name: metadata.component.name, version };
  const { id, version: release } = base.system;
  const system = { 'bom-ref': `system:${id}`, type: 'operating-system', name: id, version: release };
  const node = nodeComponent(base.node);
  const packages = (base.packages ?? []).map((one) => packageComponent(one, base.system));
  const direct = [metadata.component['bom-ref'], node['bom-ref'], system['bom-ref']];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: image },
    components: [metadata.component, ...components, node, system, ...packages],
    dependencies: [
      { ref: image['bom-ref'], dependsOn: direct },
      ...dependencies,
      { ref: system['bom-ref'], dependsOn: packages.map((one) => one['bom-ref']) },
    ],
    // States whether a package of the base can be missing from the list.
    compositions: [
      { aggregate: base.packages === undefined ? 'unknown' : 'complete', assemblies: [system['bom-ref']] },
      { aggregate: node.components.length === 0 ? 'unknown' : 'complete', assemblies: [node['bom-ref']] },
    ],
  };
}

function nodeComponent({ version, libraries }: BaseContents['node']) {
  const purl = `pkg:generic/node@${version}`;
  return {
    'bom-ref': purl,
    type: 'platform',
    name: 'node',
    version,
    licenses: [{ license: { id: 'MIT' } }],
    purl,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    components: Object.entries(libraries).map(([name, text]) => ({
      'bom-ref': `node:${name}`,
      type: 'library',
      name,
      version: text,
      purl: `pkg:generic/${name}@${encodeURIComponent(text)}`,
    })),
  };
}

function packageComponent(
  { name, version, architecture }: BasePackage,
  { id, version: release }: BaseContents['system'],
) {
  const purl = `pkg:deb/${id}/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${id}-${release}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}

/** Arguments from the Dockerfile: the file system of the base, the folder of the program, and the version of the image. */
if (import.meta.main) {
  const [root = '/', folder = '.', version = 'unreleased'] = process.argv.slice(2);
  const document: unknown = JSON.parse(readFileSync(join(folder, 'graphwarden.cdx.json'), 'utf8'));
  const bill = imageBill(document, readContents(root), version);
  writeFileSync(join(folder, 'image.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);
  process.stdout.write(`image.cdx.json: ${bill.components.length} components\n`);
}
