import fc from 'fast-check';
import { expect, it } from 'vitest';
import { render } from '../../src/alert/templates.ts';

const values = { node: 'm1', free: '7 %', odd: '$& {{node}}' };

it.each([
  ['plain', 'plain'],
  ['{{node}}', 'm1'],
  ['{{ node }} has {{free}}, {{node}}', 'm1 has 7 %, m1'],
  ['{{odd}}', '$& {{node}}'],
  ['one { and one }', 'one { and one }'],
  ['', ''],
  ['{{{node}}}', '{m1}'],
])('%j becomes %j', (template, text) => {
  expect(render(template, values)).toEqual({ ok: true, value: text });
});

it.each([
  ['{{host}}', "there is no value 'host'"],
  ['{{node}} {{a}} {{b}}', "there is no value 'a'"],
  ['{{toString}}', "there is no value 'toString'"],
  ['{{node', 'braces are not closed'],
  ['node}}', 'braces are not closed'],
])('%j fails: %s', (template, error) => {
  expect(render(template, values)).toEqual({ ok: false, error });
});

it('puts every value in its place, whatever it holds', () => {
  const plain = fc.string().filter((text) => !/[{}]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, fc.string())), plain, (parts, end) => {
      const template = parts.map(([text], at) => `${text}{{v${at}}}`).join('') + end;
      const filling = Object.fromEntries(parts.map(([, value], at) => [`v${at}`, value]));
      const text = parts.map((part) => part.join('')).join('') + end;
      expect(render(template, filling)).toEqual({ ok: true, value: text });
    }),
  );
});

it('never throws', () => {
  const piece = fc.constantFrom('{{', '}}', '{', '}', 'node', ' ', '$&', 'constructor');
  fc.assert(fc.property(fc.array(piece), (pieces) => typeof render(pieces.join(''), values).ok === 'boolean'));
});
