import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { archive, chartFile, checksumFile, npmFile, product, wrongChecksums } from './artifacts.ts';
import { run, tool } from './run.ts';
import { platforms, type References, type Target } from './target.ts';

const index = z.object({
  manifests: z.array(z.object({ platform: z.object({ os: z.string(), architecture: z.string() }) })),
});
const artifact = z.object({ layers: z.array(z.object({ digest: z.string() })) });

/** Fails if what the registries have is not what is in `folder`, or if a signature or a provenance does not fit. */
export function verify(folder: string, { npmRegistry, signer }: Target, { image, chart }: References): void {
  const read = (file: string): Buffer => readFileSync(join(folder, file));

  expectEqual(checksumFile, wrongChecksums(folder), []);
  verifyExecutable(folder);
  const built = index
    .parse(manifestOf(image))
    .manifests.map(({ platform: { os, architecture } }) => `${os}/${architecture}`);
  expectEqual('platforms of the image', built.toSorted(), platforms);

  const digest = `sha256:${createHash('sha256').update(read(chartFile)).digest('hex')}`;
  expectEqual('content of the chart', artifact.parse(manifestOf(chart)).layers[0]?.digest, digest);

  const view = ['view', `${product.name}@${product.version}`, 'dist.integrity', ...npmRegistry];
  const integrity = `sha512-${createHash('sha512').update(read(npmFile)).digest('base64')}`;
  expectEqual('content of the npm package', run('npm', view), integrity);

  for (const reference of [image, chart]) signer.verify(reference);
  signer.verifyFile(join(folder, checksumFile));
}

/** Unpacks the executable as the guide does, and runs it. */
function verifyExecutable(folder: string): void {
  const place = mkdtempSync(join(tmpdir(), 'graphwarden-unpacked-'));
  try {
    run('tar', ['-xzf', join(folder, `${archive}.tar.gz`), '--strip-components=1', '--directory', place]);
    const [name, version] = run(join(place, product.name), ['--version']).split(' ');
    expectEqual('version of the executable', [name, version], [product.name, product.version]);
  } finally {
    rmSync(place, { recursive: true });
  }
}

function manifestOf(reference: string): unknown {
  return JSON.parse(run(tool('crane'), ['manifest', reference]));
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`);
}
