import type { ShippedPackage } from './shipped-packages.ts';

/** Program that the document describes. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Returns a CycloneDX document of the packages in a bundle. It has no date, so the same bundle gives the same bytes. */
export function billOfMaterials(product: Product, packages: readonly ShippedPackage[]) {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', ...identity(product) },
    },
    components: packages.map((one) => ({
      type: 'library',
      ...identity(one),
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: hexadecimal(one.integrity) }],
    })),
    dependencies: [
      { ref: reference(product), dependsOn: packages.map(reference).toSorted() },
      ...packages.map((one) => ({ ref: reference(one), dependsOn: neededBy(one, packages).map(reference).toSorted() })),
    ],
  };
}

function identity(one: Product) {
  return {
    'bom-ref': reference(one),
    name: one.name,
    version: one.version,
    licenses: [/ (?:OR|AND|WITH) /.test(one.license) ? { expression: one.license } : { license: { id: one.license } }],
    purl: reference(one),
  };
}

function reference({ name, version }: Pick<Product, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hexadecimal(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
}

function neededBy(one: ShippedPackage, packages: readonly ShippedPackage[]): readonly ShippedPackage[] {
  const wanted = { ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies };
  return Object.keys(wanted).flatMap((name) => found(name, one.path, packages) ?? []);
}

/** Finds a package as Node resolves it: in the `node_modules` of the importing package first, then in those above. */
function found(name: string, from: string, packages: readonly ShippedPackage[]): ShippedPackage | undefined {
  const inside = packages.find(({ path }) => path === `${from}/node_modules/${name}`.replace(/^\//, ''));
  if (inside !== undefined || from === '') return inside;
  return found(name, from.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), packages);
}
