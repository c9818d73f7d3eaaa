import { execFile, execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { program } from '../support/build-program.ts';
import { eventually } from '../support/child.ts';
import { get, list, makeNamespace } from '../support/cluster/api.ts';
import { kubeconfig } from '../support/cluster/places.ts';
import { guideBlocks, guideCommands } from '../support/guide.ts';
import { atEndOfFile, temporaryFolder } from '../support/live-ports.ts';
import { requireTool } from '../support/tools.ts';
import { createDatabase, databaseLabels } from './database.ts';
import { daemonsOf, isReady, loginOf, objectsIn, page, podsOf, readyDaemonOf, release } from './release.ts';

const guide = 'docs/install/kubernetes.md';
// The guide calls the release `warden`, and its namespace `db`.
const namespace = 'db';
const installed = release('warden', namespace);
const commands = guideCommands(guide, 'Kubernetes', /^helm show |^(?:helm|kubectl) .* db\b/);
const [secret = '', install = '', check = '', password = '', reload = '', dryRun = ''] = guideBlocks(
  guide,
  'One daemon',
);
const [pause = '', scaleDown = '', pauseSidecars = ''] = guideBlocks(guide, 'Pause the guard');
const [fragment = ''] = guideBlocks(guide, 'Sidecars');
const [backup = '', restore = ''] = guideBlocks('docs/install/upgrade.md', 'Chart');
const [restorePod = ''] = guideBlocks('docs/install/upgrade.md', 'Chart', 'yaml');
const values = guideBlocks(guide, 'Kubernetes', 'yaml');

/** Commands of the guide that cannot run here, with the reason. */
const notRun: readonly (readonly [command: string, reason: string])[] = [
  ['kubectl -n db port-forward deployment/warden-graphwarden 9916', 'the kubelet of the tests has no SPDY streams'],
];

const inDaemon = 'kubectl -n db exec deployment/warden-graphwarden -- graphwarden';

let folder: string;
const ran: string[] = [];

/** Runs a block of the guide in a folder with `values.yaml`, without the commands in {@link notRun}. */
async function run(block: string): Promise<string> {
  ran.push(block);
  const script = notRun.reduce((text, [command]) => text.replace(command, ''), block);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, KUBECONFIG: kubeconfig };
  return new Promise((succeed, fail) => {
    execFile('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error === null) succeed(stdout);
      else fail(new Error(`${script}\n${stdout}\n${stderr}`));
    });
  });
}

/** Runs the only command in the sentences and tables of the guide that contains these words. */
async function runCommand(words: string): Promise<string> {
  const [command = '', ...others] = new Set(commands.filter((one) => one.includes(words)));
  expect([command, ...others]).toEqual([expect.stringContaining(words)]);
  return run(command);
}

async function writeValues(text: string): Promise<void> {
  await writeFile(join(folder, 'values.yaml'), text);
}

const bad = { collectors: { health: { interval: '1s', timeout: '5s' } } };
const reason = 'must not be longer than the interval';

const atEnd = atEndOfFile();

beforeAll(async () => {
  await makeNamespace(namespace);
  await createDatabase(namespace, 15_040);
  folder = await temporaryFolder(atEnd);
  await mkdir(join(folder, 'bin'));
  await symlink(requireTool('helm'), join(folder, 'bin', 'helm'));
  await symlink(join(requireTool('kubernetes'), 'kubectl'), join(folder, 'bin', 'kubectl'));
});

describe('the guide installs one daemon', () => {
  const [first = ''] = guideBlocks(guide, 'One daemon', 'yaml');

  it.each([...values.entries()])('with values that the API server accepts: example %i', async (_, text) => {
    await writeValues(text);
    expect(await run(dryRun)).toMatch(/^deployment.apps\/warden-graphwarden \w+ \(server dry run\)$/m);
  });

  it('by its commands, and the daemon answers its user', async () => {
    expect(await runCommand('helm show readme')).toContain('# graphwarden');
    await writeFile(join(folder, 'read-token'), 'secret\n');
    await writeValues(first);
    await run(secret);
    await run(install);
    const pod = await readyDaemonOf(installed);
    const said = await run(check);
    expect(said).toMatch(/Phase: +Succeeded[\s\S]*^ok$/m);
    expect(said).toContain('"msg":"listening"');
    expect((await page(pod, '/', `graphwarden:${await run(password)}`)).status).toBe(200);
    expect(await runCommand('describe pod')).toContain('Name:             warden-graphwarden');
  });

  it('and reloads it, pauses and resumes its guard, and backs up its state', async () => {
    expect(await run(reload)).toContain('reloaded');
    expect(await run(pause)).toBe('guard paused\n');
    expect(await runCommand('guard resume')).toBe('guard resumed\n');
    await run(backup);
    const args = [program, 'state', 'check', 'graphwarden.db'];
    expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toMatch(/integrity +ok/);
  });

  it('and restores the backup', async () => {
    const { metadata } = await readyDaemonOf(installed);
    await run(`${inDaemon} silence add cluster_name=prod --for 1h --reason later --author ada`);
    expect(await run(`${inDaemon} silence list`)).toContain('later');
    await writeFile(join(folder, 'restore.yaml'), restorePod);
    expect(await run(restore)).toContain('restored');
    const { metadata: restored } = await readyDaemonOf(installed);
    expect(restored.uid).not.toBe(metadata.uid);
    expect(await run(`${inDaemon} silence list`)).not.toContain('later');
  });

  it('and restarts, stops and starts it', async () => {
    const { metadata } = await readyDaemonOf(installed);
    await runCommand('rollout restart');
    await eventually('another pod is ready', async () => {
      return (await readyDaemonOf(installed)).metadata.uid !== metadata.uid;
    });
    await run(scaleDown);
    await eventually('the daemon has stopped', async () => (await daemonsOf(installed)).length === 0);
    await runCommand('--replicas=1');
    await readyDaemonOf(installed);
  });

  it('and rolls back a rejected configuration, for which the reload fails', async () => {
    await installed.apply({ ...parse(first), config: bad });
    const error = await eventually('the reload fails', () =>
      run(reload).then(
        () => undefined,
        (failure: unknown) => String(failure),
      ),
    );
    expect(error).toContain(reason);
    await runCommand('helm rollback');
    await eventually('the reload succeeds', () => run(reload));
  });

  it('and uninstalls it with the objects that remain', async () => {
    const kept = { ...parse(first), persistence: { keep: true } };
    await installed.apply(kept);
    await installed.refusal({ ...kept, config: bad, configCheck: { enabled: true, timeout: 60 } });
    expect(await runCommand('logs job/')).toContain(reason);
    await runCommand('helm uninstall');
    await runCommand('delete pvc');
    await runCommand('--ignore-not-found');
    const left = (await objectsIn(namespace)).filter((name) => / warden-/.test(name));
    expect(left).toEqual([]);
  });
});

it('the guide for dashboards creates a ConfigMap for each', async () => {
  await makeNamespace('monitoring');
  await symlink(resolve('dashboards'), join(folder, 'dashboards'));
  for (const block of guideBlocks('docs/dashboards.md', 'Import the dashboards')) await run(block);
  const labelled = await list('/api/v1/namespaces/monitoring/configmaps?labelSelector=grafana_dashboard=1');
  // The releases of other tests have dashboards in this namespace as well.
  expect(labelled.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(['cluster', 'fleet', 'graphwarden', 'queries'].map((name) => `graphwarden-${name}`)),
  );
});

describe('the guide installs sidecars', () => {
  const set = `/apis/apps/v1/namespaces/${namespace}/statefulsets/prod`;
  const [text = ''] = guideBlocks(guide, 'Sidecars', 'yaml');
  const [guardText = ''] = guideBlocks(guide, 'Let the guard abort queries', 'yaml');

  /** Waits until every pod of the database is ready, and has a sidecar or has none. */
  async function untilRolledOut(has: boolean) {
    return eventually(`the database has sidecars: ${has}`, async () => {
      const { status } = await get(set);
      const pods = await podsOf(namespace, `app=${databaseLabels.app}`);
      const isDone = status.updateRevision === status.currentRevision && pods.length === 3 && pods.every(isReady);
      return isDone && pods.every(({ spec }) => JSON.stringify(spec).includes('"name":"graphwarden"') === has) && pods;
    });
  }

  it('by its commands, pauses the guard of each and removes them', async () => {
    const settings = parse(text);
    // Only the guard has a state directory; here it only observes.
    const [policy] = parse(guardText).config.guard.policies;
    const config = { guard: { policies: [{ ...policy, mode: 'observe' }] } };
    await writeValues(stringify({ ...settings, sidecar: { ...settings.sidecar, config } }));
    await run(install);
    await readyDaemonOf(installed);
    await run(fragment);
    const pods = await untilRolledOut(true);
    await run(pauseSidecars);
    const login = await loginOf(installed, 'prometheus');
    for (const pod of pods) {
      await eventually(`the guard of ${pod.metadata.name} is paused`, async () =>
        /^graphwarden_guard_paused\S* 1$/m.test((await page(pod, '/metrics', login)).text),
      );
    }
    await runCommand('rollout undo');
    await untilRolledOut(false);
    await runCommand('helm uninstall');
  });
});

it('every command of the guide runs here, or cannot', () => {
  const lines = guideBlocks(guide, 'Kubernetes').flatMap((block) => block.split('\n'));
  const known = [...ran, ...notRun.map(([command]) => command)].join('\n');
  expect([...lines, ...commands].filter((line) => !known.includes(line.trim()))).toEqual([]);
});
