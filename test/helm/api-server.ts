import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { requireTool } from '../support/tools.ts';
import { chart, type Manifest, manifestsIn } from './chart.ts';

/** Resources of the objects that the chart renders by default. */
const resources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  v1: {
    Secret: 'secrets',
    ConfigMap: 'configmaps',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    ServiceAccount: 'serviceaccounts',
    Pod: 'pods',
  },
  'apps/v1': { Deployment: 'deployments' },
  'networking.k8s.io/v1': { NetworkPolicy: 'networkpolicies' },
};
const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };

function discovery(): Readonly<Record<string, object>> {
  const groups = Object.keys(resources).filter((version) => version.includes('/'));
  const lists = Object.entries(resources).map(([groupVersion, kinds]) => {
    const list = Object.entries(kinds).map(([kind, name]) => ({ name, namespaced: true, kind, verbs: ['get'] }));
    const path = `${groupVersion.includes('/') ? '/apis' : '/api'}/${groupVersion}`;
    return [path, { kind: 'APIResourceList', groupVersion, resources: list }];
  });
  return {
    '/version': { major: '1', minor: '35', gitVersion: 'v1.35.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groups.map((groupVersion) => {
        const [name = '', version = ''] = groupVersion.split('/');
        return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
      }),
    },
    ...Object.fromEntries(lists),
  };
}

/**
 * Renders the release `x` in `db` as an upgrade does: with access to an API server, here a simulated one that has one
 * Secret of the release.
 */
export async function renderedWithSecret(name: string, data: unknown): Promise<readonly Manifest[]> {
  const annotations = { 'meta.helm.sh/release-name': 'x', 'meta.helm.sh/release-namespace': 'db' };
  const labels = { 'app.kubernetes.io/managed-by': 'Helm' };
  const metadata = { name, namespace: 'db', labels, annotations };
  const replies: Readonly<Record<string, object>> = {
    ...discovery(),
    [`/api/v1/namespaces/db/secrets/${name}`]: { kind: 'Secret', apiVersion: 'v1', metadata, data },
  };
  const server = createServer(({ url = '' }, reply) => {
    const found = replies[url.replace(/\?.*$/, '')];
    reply.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(found ?? notFound));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const access = ['--dry-run=server', '--disable-openapi-validation', '--kube-apiserver', `http://127.0.0.1:${port}`];
  const args = ['template', 'x', chart, '--namespace', 'db', ...access];
  const helm = spawn(requireTool('helm'), args, { env: { ...process.env, KUBECONFIG: '/dev/null' } });
  const [out, error] = await Promise.all([text(helm.stdout), text(helm.stderr)]);
  server.close();
  if (out === '') throw new Error(error);
  return manifestsIn(out);
}
