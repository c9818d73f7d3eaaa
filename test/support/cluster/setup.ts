import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { requireTool } from '../tools.ts';
import { create } from './api.ts';
import { serveDns } from './dns.ts';
import { makeImage } from './image.ts';
import { startKubelet } from './kubelet.ts';
import { serveKubelet } from './kubelet-server.ts';
import { openNetwork } from './network.ts';
import { startPlane } from './plane.ts';

let end = (): void => undefined;

/** Starts the cluster before the first test. Its containers and files are removed with the namespaces that `run.ts` creates. */
export async function setup(): Promise<void> {
  openNetwork();
  // The built-in provisioner of the controller creates volumes as folders below this one.
  mkdirSync('/tmp/hostpath_pv', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/tmp/hostpath_pv']);
  // The container runtime rejects a machine with both versions of control groups; it uses none here.
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/sys/fs/cgroup']);
  makeImage();
  const plane = await startPlane();
  await create('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/host-path',
  });
  await makeForeignKinds();
  const dns = await serveDns();
  const server = await serveKubelet();
  const kubelet = await startKubelet();
  end = () => {
    kubelet.abort();
    server.close();
    dns.close();
    plane.kill();
  };
}

/** Stops what would keep the test process alive. */
export function teardown(): void {
  end();
}

/** Creates the custom resource definitions of other projects whose objects the chart can create. */
async function makeForeignKinds(): Promise<void> {
  const folder = requireTool('crds');
  const documents = readdirSync(folder).flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')));
  for (const document of documents) {
    const object: unknown = document.toJS();
    if (object !== null) await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object);
  }
}
