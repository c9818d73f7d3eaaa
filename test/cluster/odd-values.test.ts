import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { definitions } from '../../tools/generate/chart/definitions.ts';
import { spread, toleration } from '../../tools/generate/chart/kubernetes-schemas.ts';
import { context, podContext, probeSchema } from '../../tools/generate/chart/pod-schemas.ts';
import { templates } from '../helm/chart.ts';
import { accepted } from '../helm/kubernetes-part-cases.ts';
import { odd } from '../helm/odd-cases.ts';
import { call, makeNamespace, pathOf } from '../support/cluster/api.ts';

/** Another test installs the release `x` in `db`; objects that are sent here must not meet those. */
const namespace = z
  .string()
  .default('db')
  .transform((name) => (name === 'db' ? 'odd-values' : name));
const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace }),
});

/** The objects of a text, as Helm sends them. Tests of the release come later. */
function* textsOf(text: string): Generator<string> {
  const parts = text.split(/^(?=---\n# Source: )/m).filter((part) => !/Source: .*(?:NOTES\.txt|\/tests\/)/.test(part));
  for (const one of parts.join('').split(/^---$/m)) if (/^kind: /m.test(one)) yield one;
}

const dryRuns = new Map<string, Promise<string>>();

/** What the API server has against an object, which it does not keep; equal objects are sent once. */
function errorOf(text: string): Promise<string> {
  const error = dryRuns.get(text) ?? dryRun(text);
  dryRuns.set(text, error);
  return error;
}

async function dryRun(text: string): Promise<string> {
  // Helm reads YAML 1.1.
  const content = object.parse(parseAllDocuments(text, { version: '1.1' })[0]?.toJS());
  const { apiVersion, kind, metadata } = content;
  await makeNamespace(metadata.namespace);
  const path = `${pathOf(apiVersion, kind, metadata.namespace)}/${encodeURIComponent(metadata.name)}`;
  const { status, text: said } = await call('PATCH', `${path}?dryRun=All&fieldManager=test`, content, 'apply');
  return status < 300 ? '' : said;
}

it('the API server accepts each object of odd values that the chart accepts', async () => {
  // Passwords of created users would differ in each rendering.
  const sets = [...odd, ...accepted].map((values) => ({ web: { createUsers: false }, ...values }));
  const errors: string[] = [];
  let count = 0;
  for (const [at, { text, error }] of templates(sets).entries()) {
    expect(error).toBe('');
    for (const one of textsOf(text)) {
      count += 1;
      const refusal = await errorOf(one);
      if (refusal !== '') errors.push(`${JSON.stringify(sets[at])}: ${refusal}`);
    }
  }
  expect(errors).toEqual([]);
  expect(count).toBeGreaterThan(300);
});

const withFields = z.object({ properties: z.record(z.string(), z.unknown()) });
const document = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

it('the API server accepts each field of the schema of the chart', async () => {
  const { schemas } = document.parse(JSON.parse((await call('GET', '/openapi/v3/apis/apps/v1')).text)).components;
  const parts = {
    Container: definitions.container,
    PodSecurityContext: podContext,
    Probe: probeSchema(true),
    SecurityContext: context,
    Toleration: toleration,
    TopologySpreadConstraint: spread,
    Volume: definitions.volume,
    VolumeMount: definitions.mount,
  };
  for (const [name, schema] of Object.entries(parts)) {
    const known = Object.keys(withFields.parse(schemas[`io.k8s.api.core.v1.${name}`]).properties);
    expect(known).toEqual(expect.arrayContaining(Object.keys(withFields.parse(schema).properties)));
  }
});
