import { describe, expect, it } from 'vitest';
import { billOfMaterials } from '../../../tools/build/sbom.ts';
import type { ShippedPackage } from '../../../tools/build/shipped-packages.ts';

function shipped(path: string, version: string, parts: Partial<ShippedPackage> = {}): ShippedPackage {
  return {
    path,
    name: path.replace(/^.*node_modules\//, ''),
    version,
    license: 'MIT',
    integrity: `sha512-${Buffer.from(version).toString('base64')}`,
    dependencies: {},
    optionalDependencies: {},
    peerDependencies: {},
    ...parts,
  };
}

const packages = [
  shipped('node_modules/@scope/a', '1.0.0', { dependencies: { b: '^2', unused: '*' }, peerDependencies: { c: '*' } }),
  shipped('node_modules/@scope/a/node_modules/b', '2.0.0', { dependencies: { c: '*' } }),
  shipped('node_modules/b', '3.0.0', { license: '(MIT OR Apache-2.0)' }),
  shipped('node_modules/c', '4.0.0'),
];
const document = billOfMaterials({ name: 'product', version: '0.1.0', license: 'Apache-2.0' }, packages);

describe('the bill of materials', () => {
  it('names the product', () => {
    expect(document.metadata.component).toMatchObject({
      name: 'product',
      version: '0.1.0',
      purl: 'pkg:npm/product@0.1.0',
    });
  });

  it('names every package, with the hash of its archive in hexadecimal', () => {
    expect(document.components.map(({ purl, hashes }) => [purl, hashes[0]?.content])).toEqual([
      ['pkg:npm/%40scope/a@1.0.0', Buffer.from('1.0.0').toString('hex')],
      ['pkg:npm/b@2.0.0', Buffer.from('2.0.0').toString('hex')],
      ['pkg:npm/b@3.0.0', Buffer.from('3.0.0').toString('hex')],
      ['pkg:npm/c@4.0.0', Buffer.from('4.0.0').toString('hex')],
    ]);
  });

  it('has a licence by its name, and a choice as an expression', () => {
    expect(document.components[0]?.licenses).toEqual([{ license: { id: 'MIT' } }]);
    expect(document.components[2]?.licenses).toEqual([{ expression: '(MIT OR Apache-2.0)' }]);
  });

  it('states dependencies: the nearest package, and shipped ones only', () => {
    expect(document.dependencies.slice(1)).toEqual([
      { ref: 'pkg:npm/%40scope/a@1.0.0', dependsOn: ['pkg:npm/b@2.0.0', 'pkg:npm/c@4.0.0'] },
      { ref: 'pkg:npm/b@2.0.0', dependsOn: ['pkg:npm/c@4.0.0'] },
      { ref: 'pkg:npm/b@3.0.0', dependsOn: [] },
      { ref: 'pkg:npm/c@4.0.0', dependsOn: [] },
    ]);
    expect(document.dependencies[0]?.dependsOn).toHaveLength(4);
  });
});
