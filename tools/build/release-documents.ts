import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { notices } from './notices.ts';
import { billOfMaterials } from './sbom.ts';
import { shippedCode, shippedPackages } from './shipped-packages.ts';

/** Writes the bill of materials and the licenses of a bundle to its folder. */
const [bundle = 'dist/graphwarden.mjs'] = process.argv.slice(2);
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const product = z.object({ name: z.string(), version: z.string(), license: z.string() }).parse(read('package.json'));
const packages = shippedPackages(shippedCode(dirname(bundle)), read('package-lock.json'));

write('graphwarden.cdx.json', `${JSON.stringify(billOfMaterials(product, packages), undefined, 2)}\n`);
write('THIRD-PARTY-NOTICES.txt', notices(packages));

function write(name: string, text: string): void {
  const path = join(dirname(bundle), name);
  writeFileSync(path, text);
  process.stdout.write(`${path}: ${packages.length} packages\n`);
}
