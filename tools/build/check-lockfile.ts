import { globSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** Licenses of packages that may ship. Development tools may also have MPL-2.0. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];
const development = [...permissive, 'MPL-2.0'];
/** Licenses of packages of the test tools, which have their own lock files. */
const ofTools = [...development, 'BlueOak-1.0.0', 'CC0-1.0', 'OFL-1.1', 'Unlicense', 'Zlib'];
/** Packages that state their license only in the file LICENSE. */
const stated: Readonly<Record<string, string>> = {
  'node_modules/fast-shallow-equal': 'Unlicense',
  'node_modules/react-universal-interface': 'Unlicense',
};
const files = ['package-lock.json', ...globSync('tools/build/tools/*/package-lock.json')];

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

type Entry = z.infer<typeof lock>['packages'][string];

const problems = files.flatMap((file) =>
  Object.entries(lock.parse(JSON.parse(readFileSync(file, 'utf8'))).packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, entry]) => {
      const license = entry.license ?? stated[path];
      return licenseProblems({ ...entry, license }, allowedIn(file, entry)).map((text) => `${file}: ${path}: ${text}`);
    }),
);

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'no host, every licence known\n' : '');
process.exitCode = problems.length === 0 ? 0 : 1;

function allowedIn(file: string, { dev, devOptional }: Entry): readonly string[] {
  if (file !== 'package-lock.json') return ofTools;
  return dev === true || devOptional === true ? development : permissive;
}

function licenseProblems(entry: Entry, allowed: readonly string[]): readonly string[] {
  return [
    ...(entry.resolved === undefined ? [] : [`names a host: ${entry.resolved}`]),
    ...(entry.integrity === undefined ? ['has no integrity'] : []),
    ...(isAllowed(entry.license, allowed) ? [] : [`licence ${entry.license ?? 'unknown'} is not on the list`]),
  ];
}

/** Whether a license is allowed: of `(A OR B)`, one must be allowed; of `(A AND B)`, both. */
function isAllowed(license: string | undefined, allowed: readonly string[]): boolean {
  const words = (license ?? '').replaceAll(/[()]/g, '');
  if (words.includes(' AND ')) return words.split(' AND ').every((word) => allowed.includes(word));
  return words.split(' OR ').some((word) => allowed.includes(word));
}
