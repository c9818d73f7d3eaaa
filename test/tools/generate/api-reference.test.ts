import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiObjects, apiReference } from '../../../tools/generate/api-reference.ts';

const { path, text } = await apiReference();

describe('API reference', () => {
  it('is docs/api.md', () => {
    expect(path).toBe('docs/api.md');
    expect(text).toMatch(/^# HTTP API\n/);
  });

  it('has a row for each route', () => {
    expect(text).toContain('| `GET /api/v1/alerts` | Lists the alerts');
    expect(text).toContain('| `POST /api/v1/guard/pause` |');
    expect(text).toContain('`target` (required)');
  });

  it('has a table for each object, with types, meanings and an example', () => {
    for (const name of ['Alert', 'Silence', 'Service', 'Transition', 'Availability', 'Query', 'Decision', 'Problem']) {
      expect(text).toContain(`### ${name}\n`);
    }
    expect(text).toContain('| `severity` | `critical`, `warning`, `info` | Severity. |');
    expect(text).toContain('| `endsAt` | timestamp, null | When the alert was resolved; null before that. |');
    expect(text).toContain('"rule": "disk_filling"');
  });

  it('has examples that their schemas accept', async () => {
    const schemas = z
      .record(z.string(), z.looseObject({ examples: z.array(z.unknown()).default([]) }))
      .parse(await apiObjects());
    const validator = new Ajv2020({ strict: false, allErrors: true });
    formats.default(validator);
    validator.addSchema({ $id: 'api', components: { schemas } });
    const findings = Object.entries(schemas).flatMap(([name, { examples }]) => {
      const validate = validator.compile({ $ref: `api#/components/schemas/${name}` });
      return examples.flatMap((example) => (validate(example) ? [] : [[name, validate.errors]]));
    });
    expect(findings).toEqual([]);
    expect(text.match(/^```json$/gm)).toHaveLength(
      Object.values(schemas).filter(({ examples }) => examples.length > 0).length,
    );
  });
});
