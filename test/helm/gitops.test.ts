import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import { readWebConfig } from '../../src/config/web-config-file.ts';
import { findTool } from '../support/tools.ts';
import { chart, helm, helmRender, type Manifest, manifestsIn, templates } from './chart.ts';

const kustomize = findTool('kustomize');
const base = 'examples/kustomize/base';
const overlay = 'examples/kustomize/overlay';
/** Values of the objects in the base, which has a configuration file and users of its own. */
const baseValues = {
  existingConfigMap: { name: 'graphwarden', key: 'graphwarden.yml' },
  web: { existingSecret: 'graphwarden-web' },
  tests: { enabled: false },
};
const helmLabels = ['app.kubernetes.io/managed-by', 'helm.sh/chart'];

/** An object without what Helm needs, and without the namespace, which the overlay sets. */
function withoutHelm({ metadata, ...rest }: Manifest): object {
  const { namespace: _, labels = {}, ...others } = metadata;
  const own = Object.fromEntries(Object.entries(labels).filter(([label]) => !helmLabels.includes(label)));
  return { ...rest, metadata: { ...others, labels: own } };
}

function run(program: string | undefined, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program ?? '', args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

describe.skipIf(helm === undefined)('the kustomize base', () => {
  it('contains the objects that the chart renders', async () => {
    const text = run(
      helm,
      ['template', 'graphwarden', chart, '--namespace', 'db', '--values', '-'],
      JSON.stringify(baseValues),
    );
    const objects = manifestsIn(text).map((object) => stringify(withoutHelm(object)));
    const notice = '# What the chart renders; `npx vitest run test/helm/gitops.test.ts --update` writes it.\n';
    await expect(notice + objects.join('---\n')).toMatchFileSnapshot(`../../${base}/graphwarden.yaml`);
  });

  it.each([base, overlay])('has a valid configuration for the daemon: %s', (folder) => {
    const text = readFileSync(`${folder}/graphwarden.yml`, 'utf8');
    const loaded = loadConfig(text, '/etc/graphwarden/config/graphwarden.yml', {});
    expect(loaded).toMatchObject({
      ok: true,
      value: {
        listen: { port: 9916 },
        stateDir: '/var/lib/graphwarden',
        webConfigFile: '/etc/graphwarden/web/web.yml',
      },
    });
  });

  it('has users in the overlay', () => {
    const users = readWebConfig(readFileSync(`${overlay}/web.yml`, 'utf8'), 'web.yml');
    expect(users).toMatchObject({ ok: true, value: { settings: { users: { prometheus: {} } } } });
  });

  it.skipIf(kustomize === undefined)('is installed by the overlay, with separate files, image and namespace', () => {
    const objects = manifestsIn(run(kustomize, ['build', overlay]));
    const kinds = objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`).toSorted();
    const ours = ['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'ServiceAccount', 'ConfigMap'];
    expect(kinds).toEqual([...ours.map((kind) => `${kind} graphwarden`), 'Secret graphwarden-web'].toSorted());
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(objects.map(() => 'db'));
    const { data } = objects.find(({ kind }) => kind === 'ConfigMap') ?? {};
    expect(data?.['graphwarden.yml']).toContain('name: prod');
    expect(JSON.stringify(objects)).toMatch(/"registry\.example\.org\/graphwarden:[\d.]+"/);
  });
});

const application = z.looseObject({
  spec: z.looseObject({
    source: z.looseObject({ path: z.string(), helm: z.looseObject({ valuesObject: z.looseObject({}) }) }),
  }),
});
const release = z.looseObject({
  spec: z.looseObject({
    chart: z.looseObject({
      spec: z.looseObject({ chart: z.string(), sourceRef: z.looseObject({ name: z.string() }) }),
    }),
    values: z.looseObject({}),
  }),
});

const { source } = application.parse(parse(readFileSync('examples/argocd/application.yaml', 'utf8'))).spec;
const flux = readFileSync('examples/flux/release.yaml', 'utf8');
const [repository, released] = parseAllDocuments(flux).map((document): unknown => document.toJS());
const { chart: fluxChart, values } = release.parse(released).spec;

describe('the examples for Argo CD and Flux', () => {
  it('name the chart of this repository', () => {
    expect([source.path, fluxChart.spec.chart]).toEqual(['helm/graphwarden', 'helm/graphwarden']);
    expect(repository).toMatchObject({ kind: 'GitRepository', metadata: { name: fluxChart.spec.sourceRef.name } });
  });

  it.skipIf(helmRender === undefined)(
    'have values that the chart accepts, and render the same again for Argo CD',
    () => {
      const [first, second, third] = templates([source.helm.valuesObject, source.helm.valuesObject, values]);
      expect([first?.error, third?.error]).toEqual(['', '']);
      expect(second?.text).toBe(first?.text);
      expect(first?.text).toContain('kind: Job');
    },
  );
});
