import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../../../tools/generate/chart/schema.ts';
import {
  booleanValue,
  entries,
  enumValue,
  integerValue,
  numberValue,
  optionalBoolean,
  portValue,
  section,
  stringList,
  stringMap,
  stringValue,
} from '../../../../tools/generate/chart/value.ts';

describe('the schema of the values', () => {
  const fields = {
    name: stringValue('A name.', 'graph'),
    on: booleanValue('A switch.', true),
    users: optionalBoolean('A switch that may be left.'),
    count: integerValue('A count.', 3, 1),
    share: numberValue('A share.', 0.5),
    port: portValue('A port.', 80),
    kind: enumValue('A kind.', ['one', 'two']),
    labels: stringMap('Labels.'),
    names: stringList('Names.', ['a']),
    part: section('A part.', { inner: stringValue('An inner one.') }),
    open: { ...section('Open.', {}), isOpen: true },
    list: entries('A list.', ['name'], [{ name: 'first' }], { name: stringValue('A name.') }),
  };

  it('states the purpose, the type and the default of each value', () => {
    expect(schemaOf(fields)).toMatchObject({
      additionalProperties: false,
      properties: {
        name: { description: 'A name.', type: 'string', default: 'graph' },
        on: { type: 'boolean', default: true },
        users: { type: ['boolean', 'null'], default: null },
        count: { type: 'integer', minimum: 1, default: 3 },
        share: { type: 'number', minimum: 0, default: 0.5 },
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        kind: { enum: ['one', 'two'], default: 'one' },
        labels: { type: 'object', additionalProperties: false, default: {} },
        names: { type: 'array', items: { type: 'string' }, default: ['a'] },
        list: {
          type: 'array',
          items: { type: 'object', required: ['name'], additionalProperties: false },
          default: [{ name: 'first' }],
        },
      },
    });
  });

  it('requires keys whose default templates need, except in lists', () => {
    const { required, properties } = schemaOf(fields);
    expect(required).toEqual(['name', 'on', 'count', 'share', 'port', 'kind', 'part', 'open']);
    expect(properties).toMatchObject({ part: { required: ['inner'] }, list: { items: { required: ['name'] } } });
  });

  it('rejects unknown keys at every depth, except in parts of Kubernetes objects', () => {
    expect(schemaOf(fields)).toMatchObject({
      properties: {
        part: { type: 'object', properties: { inner: { type: 'string' } }, additionalProperties: false },
        open: { additionalProperties: true },
      },
    });
  });
});
