import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { localSigner } from '../../../tools/release/signing.ts';
import { guideBlocks } from '../../support/guide.ts';
import { temporaryFolder } from '../../support/live-ports.ts';
import { builtTool } from '../../support/tools.ts';

const cosign = builtTool('cosign');

it.skipIf(cosign === undefined)(
  'the commands of the guide verify the checksums of a release, and reject others',
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'graphwarden-1.0.0-linux-x64.tar.gz');
    const sums = join(folder, 'SHA256SUMS');
    const predicate = join(folder, 'provenance.json');
    await writeFile(file, 'archive');
    const digest = createHash('sha256').update('archive').digest('hex');
    await writeFile(sums, `${digest}  graphwarden-1.0.0-linux-x64.tar.gz\n${digest}  not-downloaded.deb\n`);
    await writeFile(predicate, '{"buildDefinition": {}, "runDetails": {}}');
    localSigner(folder).signFile(sums, predicate);

    const [block = 'false'] = guideBlocks('docs/install.md', 'Verify a release');
    const [identity = ''] = /--certificate-identity.*\\\n.*--certificate-oidc-issuer \S+/.exec(block) ?? [];
    // The identity of the release workflow exists only in GitHub Actions: here a key of the test signs.
    const key = '--key cosign.pub --insecure-ignore-tlog=true --trusted-root trusted-root.json';
    const env = { ...process.env, PATH: [dirname(cosign ?? ''), process.env.PATH].join(delimiter) };
    const verify = (): string =>
      execFileSync('bash', ['-euc', `{ ${block.replace(identity, key)}} 2>&1`], { cwd: folder, env, encoding: 'utf8' });
    expect(identity).not.toBe('');
    expect(verify()).toMatch(/x64\.tar\.gz: OK\n[\s\S]*Verified OK/);
    await writeFile(sums, `${digest}  graphwarden-1.0.0-linux-x64.tar.gz\n`);
    expect(verify).toThrow('Command failed');
  },
);
