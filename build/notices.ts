import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShippedPackage } from './shipped-packages.ts';

const licenseFile = /^(?:licen[cs]e|copying)(?:[.-]|$)/i;
const noticeFile = /^notice(?:[.-]|$)/i;

/** The licences of everything in the bundle, which all of them want to be handed on with it. */
export function notices(packages: readonly ShippedPackage[]): string {
  return packages.map(chapter).join(`\n${'-'.repeat(80)}\n\n`);
}

function chapter({ name, version, license, path }: ShippedPackage): string {
  const files = readdirSync(path).toSorted();
  const texts = [...files.filter((file) => licenseFile.test(file)), ...files.filter((file) => noticeFile.test(file))];
  if (texts.length === 0) throw new Error(`${name} brings no licence text along`);
  const bodies = texts.map((file) => readFileSync(join(path, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${bodies.join('\n\n')}\n`;
}
