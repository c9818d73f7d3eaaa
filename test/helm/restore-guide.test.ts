import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { program } from '../support/build-program.ts';
import { guideBlocks } from '../support/guide.ts';
import { temporaryFolder } from '../support/live-ports.ts';
import { daemonPod, helm, podSpec, rendering } from './chart.ts';
import { podSecurityViolations } from './pod-security.ts';

const [manifest = ''] = guideBlocks('docs/install/upgrade.md', 'Chart', 'yaml');
const [, commands = ''] = guideBlocks('docs/install/upgrade.md', 'Chart');
const withUser = z.looseObject({ securityContext: z.looseObject({ runAsUser: z.number(), fsGroup: z.number() }) });

function claimsOf(volumes: readonly object[]): readonly object[] {
  return volumes.filter((volume) => 'persistentVolumeClaim' in volume);
}

describe('the pod of the guide that restores a state', () => {
  it.skipIf(helm === undefined)('meets the restricted standard, and uses the claim as the user of the daemon', () => {
    const { kind, metadata, spec } = parse(manifest);
    const pod = podSpec.parse(spec);
    expect(kind).toBe('Pod');
    expect(podSecurityViolations(pod)).toEqual([]);
    // The guide calls the release `warden`.
    const { pod: daemonsPod, daemon } = daemonPod(rendering({ values: { fullnameOverride: 'warden-graphwarden' } }));
    expect(claimsOf(pod.volumes)).toEqual(claimsOf(daemonsPod.volumes));
    const { runAsUser, fsGroup } = withUser.parse(daemonsPod).securityContext;
    expect(withUser.parse(spec).securityContext).toMatchObject({ runAsUser, fsGroup });
    const [state] = daemon.volumeMounts ?? [];
    expect(pod.containers[0]?.volumeMounts).toContainEqual(state);
    expect(commands).toContain(`pod/${metadata.name}\n`);
  });

  it('has commands that restore a backup', async () => {
    const folder = await temporaryFolder();
    for (const name of ['bin', 'state', 'backup']) await mkdir(join(folder, name), { mode: 0o700 });
    await symlink(program, join(folder, 'bin', 'graphwarden'));
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const run = (script: string): string =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, encoding: 'utf8' });
    await writeFile(
      join(folder, 'graphwarden.yml'),
      'listen: 127.0.0.1:0\nstate_dir: ./state\nclusters: [{ name: a, nodes: [{ name: m, url: "http://127.0.0.1:9" }] }]\n',
    );
    run(`graphwarden run --config graphwarden.yml 2> log & pid=$!
      for _ in $(seq 600); do grep -q '"msg":"listening"' log && break; sleep 0.1; done
      kill $pid; wait $pid`);
    run('graphwarden state backup graphwarden.db --state-dir state');
    const local = commands
      .split('\n')
      .flatMap((line) => /^kubectl -n db exec (?:-i )?graphwarden-restore -- (.*)$/.exec(line)?.[1] ?? [])
      .map((line) => line.replaceAll('/nodejs/bin/node', process.execPath))
      .map((line) => line.replaceAll('/var/lib/graphwarden', 'state').replaceAll('/backup/', 'backup/'));
    expect(local).toHaveLength(2);
    expect(run(local.join('\n'))).toContain('restored');
    expect(await readFile(join(folder, 'backup', 'graphwarden.db'))).toEqual(
      await readFile(join(folder, 'graphwarden.db')),
    );
  });
});
