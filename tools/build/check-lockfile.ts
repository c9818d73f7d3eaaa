import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** What may come in: permissive licences, and MPL-2.0 for tools that never ship. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];
const development = [...permissive, 'MPL-2.0'];

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

const problems = Object.entries(lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages)
  .filter(([path]) => path !== '')
  .flatMap(([path, entry]) => licenseProblems(entry).map((text) => `${path}: ${text}`));

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'no host, every licence known\n' : '');
process.exitCode = problems.length === 0 ? 0 : 1;

function licenseProblems(entry: Entry): readonly string[] {
  const allowed = entry.dev === true || entry.devOptional === true ? development : permissive;
  return [
    ...(entry.resolved === undefined ? [] : [`names a host: ${entry.resolved}`]),
    ...(entry.integrity === undefined ? ['has no integrity'] : []),
    ...(isAllowed(entry.license, allowed) ? [] : [`licence ${entry.license ?? 'unknown'} is not on the list`]),
  ];
}

/** `(MIT OR Apache-2.0)` is fine where one of them is, `(A AND B)` where both are. */
function isAllowed(license: string | undefined, allowed: readonly string[]): boolean {
  const words = (license ?? '').replaceAll(/[()]/g, '');
  if (words.includes(' AND ')) return words.split(' AND ').every((word) => allowed.includes(word));
  return words.split(' OR ').some((word) => allowed.includes(word));
}
