import { join } from 'node:path';

/**
 * Where the programs of the cluster keep their files. The cluster has namespaces of its own for network, mounts and
 * processes, so that addresses and paths are fixed, and nothing of it outlives `npm run test:cluster`.
 */
export const clusterFolder = process.env.TEST_CLUSTER ?? '/nonexistent';

/** Certificate of the API server, its own authority. */
export const certificateFile = join(clusterFolder, 'tls.crt');
/** How `helm` finds the API server. */
export const kubeconfig = join(clusterFolder, 'kubeconfig');
/** Token of the administrator. */
export const token = 'administrator';

/** Address of the bridge between all pods, on which tests and DNS listen. */
export const gateway = '10.244.0.1';
/** The nodes of the cluster. */
export const nodeNames = ['n1', 'n2'] as const;

/** The folder with the log of each container of a pod. */
export function podFolder(uid: string): string {
  return join(clusterFolder, 'pods', uid);
}
