import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { templates } from '../helm/chart.ts';
import { accepted } from '../helm/kubernetes-part-cases.ts';
import { odd } from '../helm/odd-cases.ts';
import { call, makeNamespace, pathOf } from '../support/cluster/api.ts';

const object = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string().default('db') }),
});

/** The objects of a text, as Helm sends them. Tests of the release come later. */
function* textsOf(text: string): Generator<string> {
  const parts = text.split(/^(?=---\n# Source: )/m).filter((part) => !/Source: .*(?:NOTES\.txt|\/tests\/)/.test(part));
  for (const one of parts.join('').split(/^---$/m)) if (/^kind: /m.test(one)) yield one;
}

const asked = new Map<string, Promise<string>>();

/** What the API server has against an object, which it does not keep; equal objects are sent once. */
function troubleOf(text: string): Promise<string> {
  const trouble = asked.get(text) ?? ask(text);
  asked.set(text, trouble);
  return trouble;
}

async function ask(text: string): Promise<string> {
  // Helm reads YAML 1.1.
  const content: unknown = parseAllDocuments(text, { version: '1.1' })[0]?.toJS();
  const { apiVersion, kind, metadata } = object.parse(content);
  await makeNamespace(metadata.namespace);
  const path = `${pathOf(apiVersion, kind, metadata.namespace)}/${encodeURIComponent(metadata.name)}`;
  const { status, text: said } = await call('PATCH', `${path}?dryRun=All&fieldManager=test`, content, 'apply');
  return status < 300 ? '' : said;
}

it('the API server accepts each object of odd values that the chart accepts', async () => {
  // Passwords of created users would differ in each rendering.
  const sets = [...odd, ...accepted].map((values) => ({ web: { createUsers: false }, ...values }));
  const troubles: string[] = [];
  let count = 0;
  for (const [at, { text, error }] of templates(sets).entries()) {
    expect(error).toBe('');
    for (const one of textsOf(text)) {
      count += 1;
      const trouble = await troubleOf(one);
      if (trouble !== '') troubles.push(`${JSON.stringify(sets[at])}: ${trouble}`);
    }
  }
  expect(troubles).toEqual([]);
  expect(count).toBeGreaterThan(300);
});
