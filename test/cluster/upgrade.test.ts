import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chart } from '../helm/chart.ts';
import { get, makeNamespace } from '../support/cluster/api.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { objectsIn, readyDaemonOf, release } from './release.ts';

// The kept manifests of the previous version are those of a release `x` in `db`.
const namespace = 'db';
const kept = 'test/golden/chart/0.1.0';

/** A chart that renders what the previous one rendered. */
async function previousChart(file: string): Promise<string> {
  const folder = join(await temporaryFolder(), 'graphwarden');
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: graphwarden\nversion: 0.0.9\n');
  writeFileSync(join(folder, 'templates', 'all.yaml'), readFileSync(`${kept}/${file}.yaml`));
  return folder;
}

describe('a release of the previous chart', () => {
  it('is upgraded and rolled back, and keeps its claim', async () => {
    await makeNamespace(namespace);
    await release('x', namespace, { from: await previousChart('defaults') }).apply({});
    const before = await readyDaemonOf(release('x', namespace));
    const claim = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/x-graphwarden`;
    const { uid } = (await get(claim)).metadata;
    const now = release('x', namespace);
    const values: object = parse(readFileSync(`${chart}/ci/defaults-values.yaml`, 'utf8'));
    await now.apply(values, '--wait', '--timeout', '60s');
    const after = await readyDaemonOf(now);
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(await objectsIn(namespace)).toContain('Secret x-graphwarden-users');
    await now.helm('rollback', '--wait', '--timeout', '60s');
    expect(await objectsIn(namespace)).not.toContain('Secret x-graphwarden-users');
    await readyDaemonOf(now);
    expect((await get(claim)).metadata.uid).toBe(uid);
    await now.helm('uninstall', '--wait');
  });
});
