import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { selfSigned } from '../certificates.ts';
import { eventually } from '../child.ts';
import { requireTool } from '../tools.ts';
import { call } from './api.ts';
import { certificateFile, clusterFolder, kubeconfig, token } from './places.ts';

const etcd = 'http://127.0.0.1:2379';

/** Starts etcd, the API server, the controllers and the scheduler, and waits until the API server is ready. */
export async function startPlane(): Promise<{ kill(): void }> {
  const programs = requireTool('kubernetes');
  writeCredentials();
  const children: ChildProcess[] = [];
  const start = (program: string, ...args: readonly string[]): void => {
    const log = openSync(at(`${basename(program)}.log`), 'a');
    const env = { ...process.env, GOGC: '100' };
    children.push(spawn(program, args, { cwd: clusterFolder, env, stdio: ['ignore', log, log] }));
  };
  start(requireTool('etcd'), '--data-dir', at('etcd'), '--unsafe-no-fsync', '--log-level=error');
  start(
    join(programs, 'kube-apiserver'),
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${certificateFile}`,
    `--tls-private-key-file=${at('tls.key')}`,
    `--service-account-key-file=${at('accounts.key')}`,
    `--service-account-signing-key-file=${at('accounts.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${at('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112',
  );
  await eventually('the API server is ready', async () => (await call('GET', '/readyz')).status === 200).catch(
    (error: unknown) => {
      throw new Error(readFileSync(at('kube-apiserver.log'), 'utf8').slice(-2000), { cause: error });
    },
  );
  start(
    join(programs, 'kube-controller-manager'),
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${at('accounts.key')}`,
    `--root-ca-file=${certificateFile}`,
    '--enable-hostpath-provisioner',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    '--node-monitor-grace-period=15s',
    '--controllers=*,-node-ipam-controller,-node-route-controller,-cloud-node-lifecycle-controller',
  );
  start(
    join(programs, 'kube-scheduler'),
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
  );
  return {
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

function at(name: string): string {
  return join(clusterFolder, name);
}

function writeCredentials(): void {
  const { cert, key } = selfSigned('kubernetes');
  writeFileSync(certificateFile, cert);
  writeFileSync(at('tls.key'), key, { mode: 0o600 });
  execFileSync(requireTool('openssl'), ['genrsa', '-out', at('accounts.key'), '2048'], { stdio: 'ignore' });
  writeFileSync(at('tokens.csv'), `${token},administrator,1,system:masters\n`);
  const cluster = {
    name: 'c',
    cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority': certificateFile },
  };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [cluster],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
}
