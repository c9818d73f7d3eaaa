import { expect, it } from 'vitest';
import { html } from '../../../src/app/api/html-document.ts';

it('html template › treats every inserted value as text', () => {
  const hostile = `<script>alert("x")</script> & 'quotes'`;
  expect(html`<p title="${hostile}">${hostile}</p>`.toString()).toBe(
    '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;quotes&#39;">' +
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;quotes&#39;</p>',
  );
});

it('html template › does not escape HTML fragments, one or several', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>${html`<hr>`}`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>');
  expect(html`<ul>${[]}</ul>`.toString()).toBe('<ul></ul>');
});

it('html template › writes numbers', () => {
  expect(html`${0} ${1.5}`.toString()).toBe('0 1.5');
});

it('html template › replaces control characters with blanks', () => {
  expect(html`${'a\u0000\u001b[31mb\nc'}`.toString()).toBe('a [31mb c');
});

it('html template › escapes once through two nested templates', () => {
  expect(html`<p>${html`<i>${'&'}</i>`}</p>`.toString()).toBe('<p><i>&amp;</i></p>');
});
