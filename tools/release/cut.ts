import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cutChangelog } from './changelog.ts';
import { contractLines } from './contract.ts';

/**
 * Prepares a release in the checkout: sets the version, cuts the changelog, and generates the files that contain them. Usage:
 * `npm run release:cut -- X.Y.Z`.
 */
const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
  throw new Error(`usage: npm run release:cut -- X.Y.Z; got '${version}'`);

const today = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', cutChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, today));
const run = (program: string, ...args: readonly string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
run('npm', 'version', '--no-git-tag-version', version);
run('npm', 'run', 'generate');
run('test/golden/chart/keep.sh');
writeFileSync('test/golden/contract.txt', `${contractLines().join('\n')}\n`);
process.stdout.write(
  `${version} is prepared. Run .ci/run, commit, and push the tag:\n  git add --all && git commit --message 'release ${version}'\n` +
    `  git tag v${version} && git push origin main v${version}\n`,
);
