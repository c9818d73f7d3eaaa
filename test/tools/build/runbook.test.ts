import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from '../../../src/alert/rules/all.ts';
import { renderBlock, renderRunbook } from '../../../tools/build/runbook.ts';

it.each([
  ['## node_unreachable', '<h2 id="node_unreachable">node_unreachable</h2>\n'],
  ['two\nlines & <b>', '<p>two lines &amp; &lt;b&gt;</p>\n'],
  ['- `a`: b;\n- c\n  d', '<ul><li><code>a</code>: b;</li><li>c   d</li></ul>\n'],
  [
    '| a | b |\n|---|---|\n| `x` | y |',
    '<table><tr><th>a</th><th>b</th></tr><tr><td><code>x</code></td><td>y</td></tr></table>\n',
  ],
  ['**Fix.** See [x](#y).', '<p><strong>Fix.</strong> See <a href="#y">x</a>.</p>\n'],
])('%j is rendered', (block, rendered) => {
  expect(renderBlock(block).toString()).toBe(rendered);
});

it('links to other documents lead to the repository', () => {
  expect(renderBlock('[a](alerting.md#b)').toString()).toMatch(
    /href="https:\/\/github\.com\/.*\/docs\/alerting\.md#b"/,
  );
});

it('the runbook has an anchor for each rule, and no code or leftover markup', () => {
  const text = renderRunbook(join(import.meta.dirname, '..', '..', '..'), 'assets/a.css');
  expect(rules.filter(({ name }) => !text.includes(`<h2 id="${name}">`)).map(({ name }) => name)).toEqual([]);
  expect(text).toContain('<link rel="stylesheet" href="./assets/a.css">');
  expect(text).not.toMatch(/<script|<style|style=|\*\*|\]\(/);
});
