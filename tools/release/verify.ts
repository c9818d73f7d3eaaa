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
  const built = index
    .parse(manifestOf(image))
    .manifests.map(({ platform: { os, architecture } }) => `${os}/${architecture}`);
  expectEqual('platforms of the image', built.toSorted(), platforms);

  const digest = `sha256:${createHash('sha256').update(read(chartFile)).digest('hex')}`;
  expectEqual('content of the chart', artifact.parse(manifestOf(chart)).layers[0]?.digest, digest);

  const view = ['view', `${product.name}@${product.version}`, 'dist.integrity', ...npmRegistry];
  const integrity = `sha512-${createHash('sha512').update(read(npmFile)).digest('base64')}`;
  expectEqual('content of the npm package', run('npm', view), integrity);

  verifyInstallation(folder, npmRegistry);
  for (const reference of [image, chart]) signer.verify(reference);
  signer.verifyFile(join(folder, checksumFile));
}

/** Installs the npm package and the executable as the guide does, and runs them. */
function verifyInstallation(folder: string, npmRegistry: readonly string[]): void {
  const place = mkdtempSync(join(tmpdir(), 'graphwarden-installed-'));
  try {
    const wanted = `${product.name}@${product.version}`;
    run('npm', ['install', '--global', '--prefix', place, wanted, ...npmRegistry], { npm_config_cache: place });
    run('tar', ['-xzf', join(folder, `${archive}.tar.gz`), '--strip-components=1', '--directory', place]);
    for (const program of [join(place, 'bin', product.name), join(place, product.name)]) {
      const [name, version] = run(program, ['--version']).split(' ');
      expectEqual(`version of ${program}`, [name, version], [product.name, product.version]);
    }
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
