import { formatMoment } from '../../../kernel/timestamp.ts';
import { documentOf, type Html, html } from './document.ts';
import type { Statement, Tone } from './statement.ts';
import type { Story } from './story.ts';
import { count, list, sentence } from './words.ts';

/** What the landing page is made of. */
export interface Landing {
  readonly stories: readonly Story[];
  readonly build: { readonly version: string; readonly commit: string };
  /** Shown above all, such as that all of this is a simulation. */
  readonly notice?: string;
  readonly ready: boolean;
  readonly wall: number;
  /** The route prefix. */
  readonly prefix: string;
  /** Seconds until the browser asks again; absent: never. */
  readonly refresh?: number;
}

const links: readonly (readonly [path: string, about: string])[] = [
  ['/metrics', 'everything, for Prometheus'],
  ['/docs/metrics', 'what each metric means'],
  ['/api/v1/clusters', 'clusters and their nodes'],
  ['/api/v1/collectors', 'health of each collector'],
  ['/api/v1/alerts', 'pending, firing and recently resolved alerts'],
  ['/api/v1/silences', 'active and future silences'],
  ['/api/v1/services', 'every service instance, and since when'],
  ['/api/v1/transitions', 'what services did, the newest first'],
  ['/api/v1/queries', 'what runs and waits'],
  ['/api/v1/guard', 'whether the guard is paused, and what its policies may do'],
  ['/api/v1/guard/decisions', 'what the guard decided, and what came of it'],
  ['/api/v1/checks', 'the last consistency checks'],
  ['/api/v1/openapi.json', 'the description of this API'],
  ['/-/healthy', 'whether the process serves'],
  ['/-/ready', 'whether the first round of reads is over'],
];

const verdicts: Readonly<Record<Tone, string>> = {
  bad: 'unhealthy',
  warning: 'degraded',
  good: 'healthy',
  plain: 'unknown',
};

/** The landing page as text. */
export function landingPage(landing: Landing): string {
  const { stories, notice, prefix, refresh } = landing;
  return documentOf({
    title: `${overall(stories)} · graphwarden`,
    body: [
      heading(landing),
      ...(notice === undefined ? [] : [html`<p class="notice" role="note">${notice}</p>`]),
      html`<main>${stories.map(section)}</main>`,
      footer(prefix),
    ],
    ...(refresh === undefined ? {} : { refresh }),
  });
}

function overall(stories: readonly Story[]): string {
  const names = (tone: Tone): readonly string[] => stories.filter((one) => one.tone === tone).map(({ name }) => name);
  for (const tone of ['bad', 'warning', 'plain'] as const) {
    if (names(tone).length > 0) return `${list(names(tone), 3)}: ${verdicts[tone]}`;
  }
  return verdicts.good;
}

function heading({ build, ready, wall, stories, prefix, refresh }: Landing): Html {
  const round = ready ? '' : ' The first round of reads is not over yet.';
  const again =
    refresh === undefined
      ? html`<a href="${prefix}/?refresh=10">again every 10 s</a>`
      : html`again every ${refresh} s, <a href="${prefix}/">stop that</a>`;
  return html`<header><h1>graphwarden</h1>
<p>${`${count(stories.length, 'cluster')} as of ${formatMoment(wall)}.`}${round} (${again})</p>
<p>Version ${build.version} (commit ${build.commit})</p></header>`;
}

function section({ name, labels, tone, topics }: Story): Html {
  const own = Object.entries(labels).map(([label, value]) => html` <small>${label}="${value}"</small>`);
  const rows = topics.map(
    (topic) => html`<dt>${topic.name}</dt><dd><ul>${topic.statements.map(item)}</ul></dd>
`,
  );
  return html`<section class="${tone}"><h2>${name}${own}
<span class="verdict ${tone}">${verdicts[tone]}</span></h2>
<dl>${rows}</dl></section>
`;
}

function item({ tone, text, hint, color }: Statement): Html {
  const advice = hint === undefined ? [] : [html` <small class="hint">${hint}</small>`];
  return html`<li class="${color === undefined ? tone : `${tone} ${color}`}">${sentence(text)}${advice}</li>`;
}

function footer(prefix: string): Html {
  const items = links.map(
    ([path, about]) => html`<li><a href="${prefix}${path}"><code>${prefix}${path}</code></a>: ${about}</li>`,
  );
  return html`<footer><nav aria-label="Where to look"><ul>${items}</ul></nav>
<p>When something cannot be read, <code>graphwarden doctor --config FILE</code> tries every call on every node.</p></footer>`;
}
