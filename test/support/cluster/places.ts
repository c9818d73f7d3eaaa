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
/** The nodes for all pods. */
export const nodeNames = ['n1', 'n2'] as const;
/** The nodes that a test may lose: only pods that tolerate their taint run there. */
export const losableNodes = ['n3', 'n4'] as const;
/** What places a pod on the nodes that a test may lose. */
export const onLosableNodes = {
  nodeSelector: { pool: 'losable' },
  tolerations: [{ key: 'losable', operator: 'Exists' }],
} as const;

/** File whose content says how a node is lost: `host`, or `kubelet` while its containers run on. */
export function lossFile(node: string): string {
  return join(clusterFolder, `lost-${node}`);
}

/** Where the network of a pod is. */
export function networkPath(uid: string): string {
  return `/run/netns/${uid}`;
}

/** The folder with the log of each container of a pod. */
export function podFolder(uid: string): string {
  return join(clusterFolder, 'pods', uid);
}
