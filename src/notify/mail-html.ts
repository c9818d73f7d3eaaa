import { escapeHtml } from '../kernel/visible-text.ts';
import type { AlertText } from './notification-text.ts';

/** Content of a mail: one section for each alert. */
export interface MailContent {
  readonly title: string;
  readonly sections: readonly AlertText[];
}

/** Returns a mail as HTML. It has no external resources, and stays readable in a client that drops its styles. */
export function mailHtml({ title, sections }: MailContent): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body class="page" style="margin:0;padding:16px;background:#ffffff;color:#202124;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif">
${sections.map(sectionHtml).join('\n')}
<p class="soft" style="max-width:640px;margin:0 auto;color:#5f6368;font-size:13px">Sent by graphwarden.</p>
</body></html>
`;
}

function sectionHtml(section: AlertText): string {
  const { state, headline, paragraphs, lists, period, labels, links, id } = section;
  const tone = toneOf(state);
  return `<div class="card" style="box-sizing:border-box;max-width:640px;margin:0 auto 16px;padding:16px;border:1px solid #dadce0;border-left:6px solid ${colors[tone]};border-radius:6px;overflow-wrap:anywhere">
<div class="${tone}" style="color:${colors[tone]};font-size:14px;font-weight:700">${escapeHtml(state)}</div>
<h1 style="margin:4px 0 8px;font-size:20px;line-height:1.3">${escapeHtml(headline)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`).join('\n')}
${lists.map(listHtml).join('\n')}
${links.length === 0 ? '' : `<p style="margin:0 0 12px">${links.map(linkHtml).join(' ')}</p>`}
<p class="soft" style="margin:0;color:#5f6368;font-size:13px">${[period, labels, `incident ${id}`]
    .filter((text) => text !== '')
    .map(escapeHtml)
    .join('<br>')}</p>
</div>`;
}

function listHtml({ title, items }: AlertText['lists'][number]): string {
  const rows = items.map((item) => `<li style="margin:0 0 4px">${escapeHtml(item)}</li>`).join('');
  return `<p style="margin:0 0 4px;font-weight:700">${escapeHtml(title)}</p><ul style="margin:0 0 12px;padding-left:20px">${rows}</ul>`;
}

function linkHtml({ text, url }: AlertText['links'][number]): string {
  return `<a class="button" href="${escapeHtml(url)}" style="display:inline-block;margin:0 4px 4px 0;padding:8px 14px;border:1px solid #dadce0;border-radius:4px;color:#1a56b0;text-decoration:none">${escapeHtml(text)}</a>`;
}

type Tone = keyof typeof colors;

const colors = { critical: '#b3261e', warning: '#8a5300', info: '#1a56b0', resolved: '#1b6e3a' } as const;

function toneOf(state: string): Tone {
  if (state.startsWith('RESOLVED')) return 'resolved';
  if (state.includes('critical')) return 'critical';
  return state.includes('warning') ? 'warning' : 'info';
}

/** Inline styles are for a light background; clients that know the dark scheme apply these instead. */
const style = `@media(prefers-color-scheme:dark){
.page{background:#1f1f1f!important;color:#e8eaed!important}.card{border-top-color:#3c4043!important;border-right-color:#3c4043!important;border-bottom-color:#3c4043!important}
.soft{color:#9aa0a6!important}.button{color:#8ab4f8!important;border-color:#5f6368!important}
.critical{color:#ff8a80!important}.warning{color:#ffb74d!important}.info{color:#8ab4f8!important}.resolved{color:#81c995!important}}`;
