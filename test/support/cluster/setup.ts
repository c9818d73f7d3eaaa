import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { requireTool } from '../tools.ts';
import { create } from './api.ts';
import { serveDns } from './dns.ts';
import { makeImage } from './image.ts';
import { startKubelet } from './kubelet.ts';
import { openNetwork } from './network.ts';
import { startPlane } from './plane.ts';

let end = (): void => undefined;

/** Brings up the cluster before the first test; containers and files end with the namespaces that `run.ts` makes. */
export async function setup(): Promise<void> {
  openNetwork();
  // Volumes of the controller's own provisioner are folders below this one.
  mkdirSync('/tmp/hostpath_pv', { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/tmp/hostpath_pv']);
  // The runtime refuses a machine with both versions of control groups; it uses none here.
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/sys/fs/cgroup']);
  makeImage();
  const plane = await startPlane();
  await create('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/host-path',
  });
  await makeForeignKinds();
  const dns = await serveDns();
  const kubelet = await startKubelet();
  end = () => {
    kubelet.abort();
    dns.close();
    plane.kill();
  };
}

/** Ends what keeps the process of the tests from ending. */
export function teardown(): void {
  end();
}

/** The kinds of other projects that the chart can create. */
async function makeForeignKinds(): Promise<void> {
  const folder = requireTool('crds');
  const documents = readdirSync(folder).flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')));
  for (const document of documents) {
    const object: unknown = document.toJS();
    if (object !== null) await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', object);
  }
}
