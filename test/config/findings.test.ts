import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findingsFromIssues } from '../../src/config/findings.ts';
import { jsonSchemaOf } from '../../src/config/json-schema.ts';
import { urlField } from '../../src/graphdb/settings-fields.ts';

const schema = z.strictObject({
  every: z.string().prefault('5s'),
  version: z.string().meta({ examples: ['4.1'] }),
  secret: z.string().meta({ examples: ['${TOKEN}'] }),
  inner: z.array(z.strictObject({ enabled: z.boolean(), url: urlField('http://a') })).optional(),
});

const fine = { version: 'x', secret: 'x' };

function findings(value: unknown) {
  const parsed = schema.safeParse(value);
  const issues = parsed.success ? [] : parsed.error.issues;
  return findingsFromIssues(issues, { value, schema: jsonSchemaOf(schema) });
}

describe('findingsFromIssues', () => {
  it('returns no findings without issues', () => {
    expect(findings(fine)).toEqual([]);
  });

  it('shows a valid value: an example, or the default', () => {
    expect(findings({ every: 5 })).toEqual([
      { path: ['every'], message: 'must be a string', hint: 'for example `every: 5s`' },
      { path: ['version'], message: 'is required', hint: 'for example `version: "4.1"`' },
      { path: ['secret'], message: 'is required', hint: 'for example `secret: "${TOKEN}"`' },
    ]);
  });

  it('passes the hints of our own fields on', () => {
    expect(findings({ ...fine, inner: [{ enabled: true, url: 'a' }] })).toEqual([
      {
        path: ['inner', 0, 'url'],
        message: 'must be an address that begins with http:// or https://',
        hint: 'for example http://a',
      },
    ]);
  });

  it('distinguishes missing, empty and wrong values, also in nested keys', () => {
    const inner = [{ url: 'http://a' }, { enabled: null, url: 'http://a' }, { enabled: 'yes', url: 'http://a' }, 7];
    expect(findings({ ...fine, inner }).map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['inner.0.enabled', 'is required'],
      ['inner.1.enabled', 'is empty; set a value or remove the key'],
      ['inner.2.enabled', 'must be true or false'],
      ['inner.3', 'must be a mapping of keys to values'],
    ]);
  });

  it('is about the key if the key is wrong', () => {
    expect(findings({ ...fine, evry: 1, inner: [{ enabled: true, url: 'http://a', enabledd: 1 }] })).toEqual([
      {
        path: ['inner', 0, 'enabledd'],
        message: 'unknown key `enabledd`',
        hint: 'did you mean `enabled`?',
        isAboutKey: true,
      },
      { path: ['evry'], message: 'unknown key `evry`', hint: 'did you mean `every`?', isAboutKey: true },
    ]);
  });

  it('ignores the prototype of the input', () => {
    const odd = z.strictObject({ toString: z.string() });
    const value = {};
    const issues = odd.safeParse(value).error?.issues ?? [];
    expect(findingsFromIssues(issues, { value, schema: jsonSchemaOf(odd) })).toEqual([
      { path: ['toString'], message: 'is required' },
    ]);
  });
});
