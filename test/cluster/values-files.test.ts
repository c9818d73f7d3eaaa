import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { manifestsIn, valueFile, valueFiles } from '../helm/chart.ts';
import { eventually } from '../support/child.ts';
import { create, get, list, makeNamespace, patch, pathOf } from '../support/cluster/api.ts';
import { idlePrefix } from '../support/cluster/kubelet.ts';
import { requireTool } from '../support/tools.ts';
import { objectsIn, release } from './release.ts';

/** Values of the files of the chart and of the examples, by name. */
const sets: readonly (readonly [name: string, values: object])[] = [
  ...valueFiles.map((file): [string, object] => [file, valuesIn(valueFile(file))]),
  [
    'argocd',
    z
      .object({ spec: z.object({ source: z.object({ helm: z.object({ valuesObject: z.looseObject({}) }) }) }) })
      .parse(parse(readFileSync('examples/argocd/application.yaml', 'utf8'))).spec.source.helm.valuesObject,
  ],
  [
    'flux',
    z
      .object({ spec: z.object({ values: z.looseObject({}) }) })
      .parse(parseAllDocuments(readFileSync('examples/flux/release.yaml', 'utf8'))[1]?.toJS()).spec.values,
  ],
];

function valuesIn(path: string): object {
  return z.looseObject({}).parse(parse(readFileSync(path, 'utf8')) ?? {});
}

const conditions = z.array(z.object({ type: z.string(), status: z.string(), message: z.string().default('') }));

/** What keeps the pods of a Deployment from being created; `''` when they are there. */
async function errorOf(namespace: string, name: string): Promise<string | undefined> {
  const { spec, status } = await get(pathOf('apps/v1', 'Deployment', namespace).concat(`/${name}`));
  const failure = conditions.parse(status.conditions ?? []).find(({ type }) => type === 'ReplicaFailure');
  if (failure !== undefined) return failure.message;
  return status.observedGeneration !== undefined && (status.replicas ?? 0) === spec.replicas ? '' : undefined;
}

beforeAll(async () => {
  // Some value files name the database of another namespace, or one for monitors and dashboards.
  for (const name of ['db', 'monitoring', 'grafana', 'watch']) await makeNamespace(name);
  await create('/apis/node.k8s.io/v1/runtimeclasses', { metadata: { name: 'gvisor' }, handler: 'gvisor' });
});

describe('value files of the chart', () => {
  it.each(sets)('are installed under the «restricted» standard: %s', async (name, values) => {
    const namespace = await makeNamespace(`${idlePrefix}${name}`);
    // The service account that one of the files names.
    await create(pathOf('v1', 'ServiceAccount', namespace), { metadata: { name: 'watcher' } });
    await release(`v-${name}`, namespace).apply(values, '--no-hooks');
    const label = encodeURIComponent(`app.kubernetes.io/instance=v-${name}`);
    const [deployment] = await list(`/apis/apps/v1/deployments?labelSelector=${label}`);
    if (deployment === undefined) expect.fail('there is no Deployment');
    const error = await eventually('the pods are created, or why not', async () => {
      const found = await errorOf(deployment.metadata.namespace, deployment.metadata.name);
      return found === undefined ? undefined : { found };
    });
    // Containers and volumes of the user's own are the user's.
    expect(error.found).not.toMatch(/container "graphwarden"|containers "graphwarden"|forbidden: (?!violates)/);
  });

  it('are accepted as the kustomize example', async () => {
    const namespace = await makeNamespace(`${idlePrefix}kustomize`);
    const text = execFileSync(requireTool('kustomize'), ['build', 'examples/kustomize/overlay'], { encoding: 'utf8' });
    for (const { apiVersion, kind, metadata, ...rest } of manifestsIn(text)) {
      if (kind === 'Namespace') continue;
      const path = `${pathOf(apiVersion, kind, namespace)}/${metadata.name}?dryRun=All&fieldManager=test`;
      await patch(path, { apiVersion, kind, metadata: { ...metadata, namespace }, ...rest }, 'apply');
    }
  });
});

const ingressFrom = [{ namespaceSelector: {} }];
const refused: readonly (readonly [what: string, values: object])[] = [
  ['a size with the unit of the program', { persistence: { size: '4GiB' } }],
  ['an amount that is none', { resources: { limits: { memory: '512MB' } } }],
  ['a family that is none', { service: { enabled: true, ipFamilies: ['IPv5'] } }],
  [
    'two families of one stack',
    { service: { enabled: true, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] } },
  ],
  ['an access mode that is none', { persistence: { accessModes: ['ReadWriteSometimes'] } }],
  [
    'a host with a scheme',
    { ingress: { enabled: true, hosts: ['https://warden.example.org'] }, networkPolicy: { ingressFrom } },
  ],
  ['a type of path that is none', { ingress: { enabled: true, pathType: 'prefix' }, networkPolicy: { ingressFrom } }],
  ['a Secret twice', { existingSecrets: ['pager', 'pager'] }],
  [
    'a port out of range',
    { service: { enabled: true, type: 'NodePort', nodePort: 99_999 }, networkPolicy: { ingressFrom } },
  ],
  [
    'a network without a length',
    {
      service: { enabled: true, type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0'] },
      networkPolicy: { ingressFrom },
    },
  ],
  [
    'a traffic policy that is none',
    { service: { enabled: true, type: 'NodePort', externalTrafficPolicy: 'local' }, networkPolicy: { ingressFrom } },
  ],
  ['a receiver that nothing has', { config: { alerts: { routes: [{ receivers: ['nobody'] }] } } }],
];

describe('values that an API server would refuse in part', () => {
  it('are refused as a whole', async () => {
    const namespace = await makeNamespace(`${idlePrefix}refused`);
    const taken: string[] = [];
    for (const [what, values] of refused) {
      await release('x', namespace)
        .refusal(values)
        .catch(() => taken.push(what));
    }
    expect(taken).toEqual([]);
    expect(await objectsIn(namespace)).toEqual([]);
  });
});
