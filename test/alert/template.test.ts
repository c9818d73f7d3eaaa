import { expect, it } from 'vitest';
import { render } from '../../src/alert/template.ts';

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
