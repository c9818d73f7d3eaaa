import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartFile, checksumFile, npmFile, product } from './artifacts.ts';
import { provenance } from './provenance.ts';
import { run, tool } from './run.ts';
import { platforms, type References, type Target } from './target.ts';
import { verify } from './verify.ts';

/** Publishes the files in `folder`, the image and the chart, signs them, and verifies what the registries have then. */
export function publish(folder: string, target: Target): void {
  const commit = run('git', ['rev-parse', 'HEAD']);
  const references = { image: pushImage(target, commit), chart: pushChart(folder, target) };
  run('npm', ['publish', '--loglevel', 'warn', join(folder, npmFile), ...target.npmRegistry, ...target.npmOptions]);
  const temporary = mkdtempSync(join(tmpdir(), 'graphwarden-release-'));
  try {
    const predicate = join(temporary, 'provenance.json');
    writeFileSync(predicate, JSON.stringify(provenance(process.env, commit)));
    for (const reference of Object.values(references)) target.signer.sign(reference, predicate);
    target.signer.signFile(join(folder, checksumFile), predicate);
  } finally {
    rmSync(temporary, { recursive: true });
  }
  verify(folder, target, references);
  writeOutputs(references);
}

/** Builds and pushes the image for all platforms. */
function pushImage({ oci, isPlainHttp, containerfile }: Target, commit: string): string {
  const name = `${oci}/${product.name}`;
  const list = `localhost/release-${product.name}:${product.version}`;
  const facts = [`VERSION=${product.version}`, `COMMIT=${commit.slice(0, 12)}`].flatMap((fact) => [
    '--build-arg',
    fact,
  ]);
  const what = ['--file', containerfile, '--platform', platforms.join(','), '--manifest', list];
  // The OCI format has no health check.
  run('buildah', ['build', '--format', 'docker', ...what, ...facts, '.']);
  const push = ['manifest', 'push', '--all', ...(isPlainHttp ? ['--tls-verify=false'] : []), list];
  for (const tag of [product.version, 'latest']) run('buildah', [...push, `docker://${name}:${tag}`]);
  return withDigest(`${name}:${product.version}`);
}

function pushChart(folder: string, { oci, isPlainHttp }: Target): string {
  const file = join(folder, chartFile);
  run(tool('helm'), ['push', file, `oci://${oci}/charts`, ...(isPlainHttp ? ['--plain-http'] : [])]);
  return withDigest(`${oci}/charts/${product.name}:${product.version}`);
}

/** Returns a reference with a tag as one with the digest that the tag has in the registry. */
function withDigest(reference: string): string {
  return `${reference.replace(/:[^:/]*$/, '')}@${run(tool('crane'), ['digest', reference])}`;
}

/** Writes the digests as outputs for the next steps of the workflow. */
function writeOutputs({ image, chart }: References): void {
  const file = process.env.GITHUB_OUTPUT;
  if (file === undefined) return;
  appendFileSync(file, `image=${image.replace(/^.*@/, '')}\nchart=${chart.replace(/^.*@/, '')}\n`);
}
