import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShippedPackage } from './shipped-packages.ts';

const licenseFile = /^(?:licen[cs]e|copying)(?:[.-]|$)/i;
const noticeFile = /^notice(?:[.-]|$)/i;

/** Returns the licenses of all packages in the bundle, which must be distributed with it; equal texts once. */
export function notices(packages: readonly ShippedPackage[]): string {
  return [...Map.groupBy(packages, textOf)].map(chapter).join(`\n${'-'.repeat(80)}\n\n`);
}

function chapter([text, packages]: readonly [string, readonly ShippedPackage[]]): string {
  const titles = packages.map(({ name, version, license }) => `${name} ${version} (${license})`);
  return `${titles.join('\n')}\n\n${text}\n`;
}

function textOf({ name, path }: ShippedPackage): string {
  const files = readdirSync(path).toSorted();
  const texts = [...files.filter((file) => licenseFile.test(file)), ...files.filter((file) => noticeFile.test(file))];
  if (texts.length > 0) return texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n');
  const readme = files.find((file) => /^readme(?:[.-]|$)/i.test(file));
  const section = readme === undefined ? undefined : licenseSection(readFileSync(join(path, readme), 'utf8'));
  if (section === undefined) throw new Error(`${name} brings no licence text along`);
  return section;
}

/** Returns the license that is the last section of a README; undefined without one. */
function licenseSection(readme: string): string | undefined {
  const [, text = ''] = /^#+ licen[cs]e$\s*([^#]+)$/im.exec(readme.trim()) ?? [];
  return /permission is hereby granted/i.test(text) ? text.trim() : undefined;
}
