import { join } from 'node:path';

/**
 * Folder for the files of the cluster. The cluster runs in separate namespaces for network, mounts and processes, so
 * addresses and paths are fixed, and all of it ends with `npm run test:cluster`.
 */
export const clusterFolder = process.env.TEST_CLUSTER ?? '/nonexistent';

/** Certificate of the API server, its own authority. */
export const certificateFile = join(clusterFolder, 'tls.crt');
/** Configuration file with which `helm` connects to the API server. */
export const kubeconfig = join(clusterFolder, 'kubeconfig');
/** Token of the administrator. */
export const token = 'administrator';

/** Address of the bridge between all pods, on which tests and DNS listen. */
export const gateway = '10.244.0.1';
/** Nodes that can run any pod. */
export const nodeNames = ['n1', 'n2'] as const;
/** Nodes that a test may take down: only pods that tolerate their taint run there. */
export const losableNodes = ['n3', 'n4'] as const;
/** Part of a pod spec that schedules the pod on the nodes that a test may take down. */
export const onLosableNodes = {
  nodeSelector: { pool: 'losable' },
  tolerations: [{ key: 'losable', operator: 'Exists' }],
} as const;

/** Returns the file that states how a node is down: `host`, or `kubelet` while its containers continue to run. */
export function lossFile(node: string): string {
  return join(clusterFolder, `lost-${node}`);
}

/** Returns the path of the network namespace of a pod. */
export function networkPath(uid: string): string {
  return `/run/netns/${uid}`;
}

/** Returns the folder with the log of each container of a pod. */
export function podFolder(uid: string): string {
  return join(clusterFolder, 'pods', uid);
}
