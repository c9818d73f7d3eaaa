import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf, schemaAt } from '../../src/config/json-schema.ts';
import { durationField, urlField } from '../../src/graphdb/settings-fields.ts';

const schema = z.strictObject({
  every: durationField.prefault('5s').describe('How often.'),
  later: durationField.optional().meta({ default: '1m' }),
  url: urlField('http://a').describe('Where.'),
  name: z.string().regex(/^[a-z]+$/),
  nodes: z.array(z.strictObject({ name: z.string() })).optional(),
  labels: z.record(z.string(), z.number()).prefault({}),
});

describe('jsonSchemaOf', () => {
  const shape = jsonSchemaOf(schema);

  it('describes the input, not the parsed value', () => {
    expect(shape.properties?.every).toMatchObject({ type: 'string', default: '5s', description: 'How often.' });
    expect(shape.properties?.later).toMatchObject({ type: 'string', default: '1m' });
    expect(shape.properties?.url).toMatchObject({ type: 'string', title: 'URL', examples: ['http://a'] });
    expect(shape.required).toEqual(['url', 'name']);
    expect(shape.additionalProperties).toBe(false);
  });

  it.each([
    ['every', '5s', true],
    ['every', '1h30m', true],
    ['every', '${EVERY}', true],
    ['every', '5', false],
    ['url', 'https://a.example.org/x', true],
    ['url', '${NODE_URL}', true],
    ['url', 'http://[::1]:9093/am@1/', true],
    ['url', 'https://user:password@a.example.org/x', false],
    ['url', 'a.example.org', false],
    ['name', 'abc', true],
    ['name', '${NAME}-x', true],
    ['name', 'ABC', false],
  ])('an editor accepts for %s the text %s: %s', (key, text, isAccepted) => {
    expect(new RegExp(schemaAt(shape, [key])?.pattern ?? '').test(text)).toBe(isAccepted);
  });
});

describe('schemaAt', () => {
  const shape = jsonSchemaOf(schema);

  it.each([
    [[], 'object'],
    [['every'], 'string'],
    [['nodes'], 'array'],
    [['nodes', 3], 'object'],
    [['nodes', 3, 'name'], 'string'],
    [['labels', 'anything'], 'number'],
    [['missing'], undefined],
    [['nodes', 3, 'missing', 'deeper'], undefined],
    [['every', 0], undefined],
  ])('finds the schema at %j', (path, type) => {
    expect(schemaAt(shape, path)?.type).toBe(type);
  });
});
