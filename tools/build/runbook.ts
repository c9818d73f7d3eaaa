import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '../../src/app/api/html-document.ts';

/** Documents to which the runbook links; the daemon serves only the runbook. */
const documents = 'https://github.com/graphwarden/graphwarden/blob/main/docs/';

/**
 * Renders `docs/runbook.md` as a document of the status page with an anchor for each alert rule. `stylesheet` is its path
 * below the page. Supports the Markdown that the runbook uses.
 */
export function renderRunbook(root: string, stylesheet: string): string {
  const text = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
  const body = text
    .trim()
    .split(/\n{2,}/)
    .map(renderBlock);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Runbook · graphwarden</title><link rel="stylesheet" href="./${stylesheet}"></head><body>
<header class="bar"><p><a href="./">graphwarden</a></p></header><main>${body}</main></body></html>
`.toString();
}

/** Renders one block of Markdown: a heading, a list, a table or a paragraph. */
export function renderBlock(block: string): Html {
  const lines = block.split('\n');
  const [first = ''] = lines;
  const heading = /^(#{1,3}) (.*)$/.exec(first);
  if (heading?.[1] !== undefined && heading[2] !== undefined) {
    const level = heading[1].length;
    const id = heading[2].toLowerCase().replaceAll(' ', '-');
    return html`<h${level} id="${id}">${inline(heading[2])}</h${level}>\n`;
  }
  if (first.startsWith('- '))
    return html`<ul>${block
      .slice(2)
      .split('\n- ')
      .map((item) => html`<li>${inline(item)}</li>`)}</ul>\n`;
  if (first.startsWith('|')) {
    const rows = lines.filter((line) => !/^\|[-|]+$/.test(line));
    return html`<table>${rows.map((row, at) => tableRow(row, at === 0 ? 'th' : 'td'))}</table>\n`;
  }
  return html`<p>${inline(block)}</p>\n`;
}

function tableRow(row: string, cell: 'th' | 'td'): Html {
  const cells = row.replace(/^\| ?| ?\|$/g, '').split(' | ');
  return html`<tr>${cells.map((text) => html`<${cell}>${inline(text)}</${cell}>`)}</tr>`;
}

const inlinePattern = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)/g;

/** Renders code, bold text and links; all other text is escaped. */
function inline(text: string): readonly Html[] {
  const pieces: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(inlinePattern)) {
    const [whole, code, bold, label, target] = match;
    pieces.push(html`${text.slice(end, match.index)}`);
    if (code !== undefined) pieces.push(html`<code>${code}</code>`);
    else if (bold !== undefined) pieces.push(html`<strong>${inline(bold)}</strong>`);
    else if (label !== undefined) pieces.push(html`<a href="${addressOf(target ?? '')}">${inline(label)}</a>`);
    end = match.index + whole.length;
  }
  return [...pieces, html`${text.slice(end)}`];
}

function addressOf(target: string): string {
  return /^(?:#|https?:)/.test(target) ? target : new URL(target, documents).href;
}
