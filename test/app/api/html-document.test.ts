import { expect, it } from 'vitest';
import { documentOf, html } from '../../../src/app/api/html-document.ts';

const page = documentOf({ title: 'a < b', body: [html`<p>one</p>`, html`<p>two</p>`] });

it('is HTML that a telephone shows in its own size', () => {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain('<meta name="viewport" content="width=device-width">');
  expect(page).toContain('<title>a &lt; b</title>');
  expect(page).toContain('<p>one</p><p>two</p>');
});

it('contains no external resources and no scripts', () => {
  expect(page).not.toMatch(/<(?:script|link|img|iframe)|url\(|@import|https?:/);
});

it('is light or dark as the browser prefers', () => {
  expect(page).toContain('color-scheme:light dark');
});
