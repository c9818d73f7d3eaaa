import { expect, it } from 'vitest';
import { documentOf, html } from '../../../src/app/api/html-document.ts';

const page = documentOf({ title: 'a < b', body: [html`<p>one</p>`, html`<p>two</p>`] });

it('HTML document › has a viewport for mobile devices', () => {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain('<meta name="viewport" content="width=device-width">');
  expect(page).toContain('<title>a &lt; b</title>');
  expect(page).toContain('<p>one</p><p>two</p>');
});

it('HTML document › contains no external resources and no scripts', () => {
  expect(page).not.toMatch(/<(?:script|link|img|iframe)|url\(|@import|https?:/);
});

it('HTML document › is light or dark as the browser prefers', () => {
  expect(page).toContain('color-scheme:light dark');
});
