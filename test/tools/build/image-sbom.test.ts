import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type BaseContents,
  imageBill,
  nodeVersion,
  parsePackages,
  readContents,
} from '../../../tools/build/image-sbom.ts';
import { billOfMaterials } from '../../../tools/build/sbom.ts';

const node = 'xx\0https://nodejs.org/download/release/v24.1.2/node-v24.1.2.tar.gz\0xx';
const osRelease = 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="13"\n';
const libc = 'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.41-1+b1\n';

/** A file system with these files. */
function fileSystem(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'graphwarden-base-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const program = billOfMaterials({ name: 'product', version: '1.0.0', license: 'Apache-2.0' }, []);
const base: BaseContents = {
  system: { id: 'debian', version: '13' },
  packages: [{ name: 'libc6', version: '2.41-1+b1', architecture: 'amd64' }],
  node: { version: '24.1.2', libraries: { openssl: '3.5.0+quic' } },
};

describe('the contents of a base image', () => {
  it('are the packages of Debian, the system, and Node with its libraries if it is that of the builder', () => {
    const root = fileSystem({ 'nodejs/bin/node': node, 'etc/os-release': osRelease, 'var/lib/dpkg/status': libc });
    const versions = { ...process.versions, node: '24.1.2', openssl: '3.5.0', modules: '137' };
    const { node: found, ...contents } = readContents(root, versions);
    expect(contents).toEqual({ system: base.system, packages: base.packages });
    expect(found.libraries).toMatchObject({ openssl: '3.5.0' });
    expect(Object.keys(found.libraries)).not.toContain('modules');
    expect(readContents(root).node).toEqual({ version: '24.1.2', libraries: {} });
  });

  it('are read from a file for each package where there is no package manager', () => {
    const root = fileSystem({
      'nodejs/bin/node': node,
      'usr/lib/os-release': osRelease,
      'var/lib/dpkg/status.d/libc6': libc.replace(/Status.*\n/, ''),
      'var/lib/dpkg/status.d/libc6.md5sums': 'Package: none',
    });
    expect(readContents(root)).toMatchObject({ system: base.system, packages: base.packages });
  });

  it('have no packages if the base has another package database', () => {
    const root = fileSystem({ 'nodejs/bin/node': node });
    expect(readContents(root)).toMatchObject({ system: { id: 'unknown', version: 'unknown' }, packages: undefined });
  });

  it('must have a release of Node', () => {
    expect(() => readContents(fileSystem({}))).toThrow('ENOENT');
    expect(() => nodeVersion(Buffer.from('#!/bin/sh'))).toThrow('not a release of Node');
  });

  it('omit packages that were removed', () => {
    const removed = 'Package: old\nStatus: deinstall ok config-files\nVersion: 1\n';
    expect(parsePackages(`${removed}\n${libc}\n\n`).map(({ name }) => name)).toEqual(['libc6']);
  });
});

describe('the bill of materials of an image', () => {
  const bill = imageBill(program, base, '1.0.0');

  it('names the image, the program, Node with its libraries, the system and its packages', () => {
    expect(bill.metadata.component).toMatchObject({ type: 'container', name: 'product', version: '1.0.0' });
    expect(bill.components.map((one) => one['bom-ref'])).toEqual([
      'pkg:npm/product@1.0.0',
      'pkg:generic/node@24.1.2',
      'system:debian',
      'pkg:deb/debian/libc6@2.41-1%2Bb1?arch=amd64&distro=debian-13',
    ]);
    expect(bill.components[1]).toMatchObject({
      cpe: 'cpe:2.3:a:nodejs:node.js:24.1.2:*:*:*:*:*:*:*',
      components: [{ name: 'openssl', purl: 'pkg:generic/openssl@3.5.0%2Bquic' }],
    });
  });

  it('states the dependencies, each part once', () => {
    const references = bill.components.map((one) => one['bom-ref']);
    const depended = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
    expect(depended.toSorted()).toEqual(references.toSorted());
  });

  it('states whether the list of packages can lack one', () => {
    expect(bill.compositions.map(({ aggregate }) => aggregate)).toEqual(['complete', 'complete']);
    const unknown = imageBill(program, { ...base, packages: undefined, node: { ...base.node, libraries: {} } }, '1');
    expect(unknown.compositions.map(({ aggregate }) => aggregate)).toEqual(['unknown', 'unknown']);
    expect(() => imageBill({}, base, '1')).toThrow('metadata');
  });
});
