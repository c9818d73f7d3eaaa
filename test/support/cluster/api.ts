import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { certificateFile, token } from './places.ts';

const anything = z.record(z.string(), z.unknown());

const kubeObject = z.looseObject({
  kind: z.string().optional(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().default(''),
    uid: z.string().default(''),
    resourceVersion: z.string().default(''),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: anything.default({}),
  status: anything.default({}),
  data: z.record(z.string(), z.string()).default({}),
});

/** Object of the API server with the fields that tests use. */
export type KubeObject = z.infer<typeof kubeObject>;

/** The reply of the API server. */
interface Reply {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });
const patches = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
const types = { ...patches, json: 'application/json' } as const;
const objects = z.object({ items: z.array(kubeObject) });

/** Sends one request to the API server as its administrator. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  type: keyof typeof types = 'json',
): Promise<Reply> {
  const authorities = readFileSync(certificateFile);
  const content = body === undefined ? '' : JSON.stringify(body);
  // By default, Node sends no Content-Length for the body of a DELETE.
  const length = Buffer.byteLength(content);
  const headers = { authorization: `Bearer ${token}`, 'content-type': types[type], 'content-length': length };
  return new Promise((resolve, reject) => {
    const sent = request(
      `https://127.0.0.1:6443${path}`,
      { method, agent, ca: authorities, headers, timeout: 30_000 },
      (reply) => {
        text(reply).then((said) => resolve({ status: reply.statusCode ?? 0, text: said }), reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no reply to ${method} ${path}`)));
    sent.on('error', reject);
    sent.end(content);
  });
}

/** Sends a request like {@link call}; throws if it does not succeed. */
async function callApi(...[method, path, body, type]: Parameters<typeof call>): Promise<unknown> {
  const reply = await call(method, path, body, type);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return JSON.parse(reply.text);
}

/** Returns the objects of a path that lists them. */
export async function list(path: string): Promise<readonly KubeObject[]> {
  return objects.parse(await callApi('GET', path)).items;
}

/** Returns one object, or undefined if there is none. */
export async function find(path: string): Promise<KubeObject | undefined> {
  const reply = await call('GET', path);
  return reply.status === 200 ? kubeObject.parse(JSON.parse(reply.text)) : undefined;
}

/** Returns one object; throws if there is none. */
export async function get(path: string): Promise<KubeObject> {
  return kubeObject.parse(await callApi('GET', path));
}

/** Creates an object. */
export async function create(path: string, object: unknown): Promise<KubeObject> {
  return kubeObject.parse(await callApi('POST', path, object));
}

/** Changes parts of an object. */
export async function patch(path: string, part: unknown, type: keyof typeof patches = 'merge'): Promise<void> {
  await callApi('PATCH', path, part, type);
}

/** Deletes an object, if it exists. */
export async function remove(path: string, options: object = {}): Promise<void> {
  const reply = await call('DELETE', path, options);
  if (reply.status >= 300 && reply.status !== 404) throw new Error(`DELETE ${path}: ${reply.text}`);
}

const fixed: Readonly<Record<string, string>> = { Ingress: 'ingresses', NetworkPolicy: 'networkpolicies' };

/** Returns the path of the objects of a kind. */
export function pathOf(apiVersion: string, kind: string, namespace?: string): string {
  const plural = fixed[kind] ?? `${kind.toLowerCase()}s`.replace(/ss$/, 'sses').replace(/ys$/, 'ies');
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`;
}

/** Creates a namespace that enforces the pod security standard `restricted`, unless it exists. */
export async function makeNamespace(name: string): Promise<string> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const { status, text: said } = await call('POST', '/api/v1/namespaces', { metadata: { name, labels } });
  if (status !== 201 && status !== 409) throw new Error(said);
  return name;
}
