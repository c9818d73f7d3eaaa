import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Builds the image with docker, podman or buildah; further arguments are passed to it. */
const [builder = 'docker', ...rest] = process.argv.slice(2);
const { name, version } = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const facts = ['--build-arg', `VERSION=${version}`, '--build-arg', `COMMIT=${commit()}`];
const tags = ['--tag', `${name}:${version}`, '--tag', name];

// The OCI format has no health check; docker supports only its own format.
const format = builder === 'docker' ? [] : ['--format', 'docker'];
execFileSync(builder, ['build', ...format, ...facts, ...tags, ...rest, '.'], { stdio: 'inherit' });

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
