import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { chart } from '../helm/chart.ts';
import { eventually } from '../support/child.ts';
import { get as getObject, type KubeObject, list, pathOf } from '../support/cluster/api.ts';
import { kubeconfig, podFolder } from '../support/cluster/places.ts';
import { requireTool } from '../support/tools.ts';

/** How a program ended. */
interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[], input = ''): Promise<Ending> {
  return new Promise((resolve) => {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const child = execFile(program, args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

/** A major version of Helm. */
export type HelmVersion = 3 | 4;

/** Runs helm against the cluster; values are its standard input. */
function helm(version: HelmVersion, args: readonly string[], values?: object): Promise<Ending> {
  const program = requireTool(version === 3 ? 'helm3' : 'helm');
  return run(program, values === undefined ? args : [...args, '--values', '-'], JSON.stringify(values));
}

/** A release of the chart. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** Installs it, or upgrades it; rejects if helm refuses. */
  apply(values: object, ...options: readonly string[]): Promise<void>;
  /** The same, for values that helm refuses: what it says. */
  refusal(values: object, ...options: readonly string[]): Promise<string>;
  /** Another command of helm, such as `test`, about this release. */
  helm(command: string, ...options: readonly string[]): Promise<string>;
}

/** Names a release, which {@link Release.apply} installs. */
export function release(
  name: string,
  namespace: string,
  { from = chart, version = 4 }: { readonly from?: string; readonly version?: HelmVersion } = {},
): Release {
  const upgrade = (values: object, options: readonly string[]): Promise<Ending> =>
    helm(version, ['upgrade', '--install', name, from, '--namespace', namespace, ...options], values);
  return {
    name,
    namespace,
    apply: async (values, ...options) => void good(await upgrade(values, options)),
    refusal: async (values, ...options) => {
      const { code, stderr } = await upgrade(values, options);
      if (code === 0) throw new Error('helm took it');
      return stderr;
    },
    helm: async (command, ...options) =>
      good(await helm(version, [command, name, '--namespace', namespace, ...options])),
  };
}

function good({ code, stdout, stderr }: Ending): string {
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** The pods that have these labels and are not about to go. */
export async function podsOf(namespace: string, labels: string): Promise<readonly KubeObject[]> {
  const found = await list(`/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(labels)}`);
  return found.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** The pods of the daemon of a release. */
export function daemonsOf({ name, namespace }: Release): Promise<readonly KubeObject[]> {
  return podsOf(namespace, `app.kubernetes.io/instance=${name},app.kubernetes.io/component=daemon`);
}

/** The pod of the daemon of a release. */
export async function daemonOf(one: Release): Promise<KubeObject> {
  return eventually(`there is one pod of ${one.name}`, async () => {
    const pods = await daemonsOf(one);
    return pods.length === 1 && pods[0];
  });
}

const conditions = z.array(z.object({ type: z.string(), status: z.string() }));

/** Whether a pod is ready. */
export function isReady({ status }: KubeObject): boolean {
  const found = conditions.parse(status.conditions ?? []);
  return found.some((one) => one.type === 'Ready' && one.status === 'True');
}

/** Waits for a pod of the daemon that is ready. */
export async function readyDaemonOf(one: Release): Promise<KubeObject> {
  return eventually(`${one.name} is ready`, async () => {
    const pod = await daemonOf(one);
    return isReady(pod) && pod;
  });
}

/** How often the containers of a pod were started again. */
export function restartsOf(pod: KubeObject): number {
  const counts = [...JSON.stringify(pod.status).matchAll(/"restartCount":(\d+)/g)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Asks the daemon in a pod for a page as a user of the chart. A network policy that takes effect between a request and its
 * reply drops the reply, so a request without one ends after ten seconds.
 */
export async function page(
  pod: KubeObject,
  path: string,
  login: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = `http://${String(pod.status.podIP)}:9916${path}`;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(10_000);
    const sent = get(url, { auth: login, agent: false, signal }, (reply) => {
      text(reply).then((said) => resolve({ status: reply.statusCode ?? 0, text: said }), reject);
    });
    sent.on('error', reject);
  });
}

/** The name and password of a user that the chart made. */
export async function loginOf({ name, namespace }: Release, user: 'graphwarden' | 'prometheus'): Promise<string> {
  const { data } = await getObject(`/api/v1/namespaces/${namespace}/secrets/${name}-graphwarden-users`);
  return `${user}:${Buffer.from(data[user] ?? '', 'base64').toString()}`;
}

/** Log of a container. */
export function logOf(pod: KubeObject, container: string): Promise<string> {
  return readFile(join(podFolder(pod.metadata.uid), `${container}.log`), 'utf8');
}

/** What is left of a release, as `Kind name`; what every namespace has does not count. */
export async function objectsIn(namespace: string): Promise<readonly string[]> {
  const kinds: readonly (readonly [string, string])[] = [
    ['v1', 'ConfigMap'],
    ['v1', 'Secret'],
    ['v1', 'Service'],
    ['v1', 'ServiceAccount'],
    ['v1', 'PersistentVolumeClaim'],
    ['v1', 'Pod'],
    ['apps/v1', 'Deployment'],
    ['batch/v1', 'Job'],
    ['networking.k8s.io/v1', 'NetworkPolicy'],
    ['monitoring.coreos.com/v1', 'PodMonitor'],
    ['monitoring.coreos.com/v1', 'ServiceMonitor'],
  ];
  const names = await Promise.all(
    kinds.map(async ([version, kind]) =>
      (await list(pathOf(version, kind, namespace))).map(({ metadata }) => `${kind} ${metadata.name}`),
    ),
  );
  const usual = ['ConfigMap kube-root-ca.crt', 'ServiceAccount default'];
  return names.flat().filter((name) => !usual.includes(name));
}
