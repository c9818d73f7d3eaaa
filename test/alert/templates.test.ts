import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasClosedBraces, namesInTemplate, render, templateNames } from '../../src/alert/templates.ts';
import { ruleOf } from './alerting-testbed.ts';

const values = { node: 'm1', free: '7 %', odd: '$& {{node}}' };

it.each([
  ['plain', 'plain'],
  ['{{node}}', 'm1'],
  ['{{ node }} has {{free}}, {{node}}', 'm1 has 7 %, m1'],
  ['{{odd}}', '$& {{node}}'],
  ['one { and one }', 'one { and one }'],
  ['', ''],
  ['{{{node}}}', '{m1}'],
  ['on {{host}}!', 'on !'],
  ['{{toString}}', ''],
])('alert template › %j becomes %j', (template, text) => {
  expect(render(template, values)).toBe(text);
});

it.each([
  ['{{node}} { }', true],
  ['{{node', false],
  ['node}}', false],
  ['{{node}}}}', false],
])('the braces of %j are closed: %s', (template, expected) => {
  expect(hasClosedBraces(template)).toBe(expected);
});

describe('names', () => {
  it('of a template are those in double braces', () => {
    expect(namesInTemplate('{{ node }} {free} {{a b}}{{}}')).toEqual(['node', 'a b', '']);
  });

  it('of a rule are its labels, the facts of its texts, and the texts', () => {
    const rule = ruleOf('quick', { summary: '{{node}} {{value}}', description: '{{age}}' });
    expect(new Set(templateNames(rule))).toEqual(
      new Set(['node', 'value', 'age', 'alertname', 'severity', 'summary', 'description', 'cluster_name']),
    );
  });
});

it('alert template › inserts every value unchanged, with any characters', () => {
  const plain = fc.string().filter((text) => !/[{}]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, fc.string())), plain, (parts, end) => {
      const template = parts.map(([text], at) => `${text}{{v${at}}}`).join('') + end;
      const filling = Object.fromEntries(parts.map(([, value], at) => [`v${at}`, value]));
      expect(render(template, filling)).toBe(parts.map((part) => part.join('')).join('') + end);
    }),
  );
});
