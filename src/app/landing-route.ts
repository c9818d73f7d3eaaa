import { formatDuration } from '../kernel/duration.ts';
import { type ClusterReport, type CollectorReport, reportClusters, reportCollectors } from './report.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

/** `/`: where everything is, and the state of things in words. */
export function landingRoute(site: Site, prefix: () => string): Route {
  return {
    method: 'GET',
    path: '/',
    about: 'Links, and the state of things in words.',
    gives: { type: 'text/html' },
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: page(site, prefix()),
    }),
  };
}

const links: readonly (readonly [path: string, about: string])[] = [
  ['/metrics', 'everything, for Prometheus'],
  ['/api/v1/clusters', 'clusters and their nodes'],
  ['/api/v1/collectors', 'how each collector is doing'],
  ['/api/v1/checks', 'the last consistency checks'],
  ['/api/v1/openapi.json', 'the description of this API'],
  ['/-/healthy', 'whether the process serves'],
  ['/-/ready', 'whether the first round of reads is over'],
];

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'code{font-size:.95em}.bad{color:#b00020}li{margin:.15rem 0}';

function page(site: Site, prefix: string): string {
  const { version, commit } = site.ports.build;
  const { wall } = site.ports.clock.now();
  const collectors = reportCollectors(site);
  const clusters = reportClusters(site).map((cluster) => section(cluster, collectors, wall));
  const items = links.map(([path, about]) => {
    const address = escaped(`${prefix}${path}`);
    return `<li><a href="${address}"><code>${address}</code></a>: ${about}</li>`;
  });
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>graphwarden</title><style>${style}</style></head><body>`,
    `<h1>graphwarden</h1><p>Version ${escaped(version)} (${escaped(commit)}).`,
    site.isReady() ? 'The first round of reads is over.</p>' : 'The first round of reads is not over yet.</p>',
    ...clusters,
    `<h2>Where to look</h2><ul>${items.join('')}</ul></body></html>`,
    '',
  ].join('\n');
}

function section(cluster: ClusterReport, collectors: readonly CollectorReport[], wall: number): string {
  const own = collectors.filter((one) => one.cluster === cluster.name);
  const failing = own.filter((one) => one.state === 'failing');
  const nodes = cluster.nodes.map(
    ({ name, address, state }) =>
      `<li>${bad(state === 'down', `${name} is ${state}`)} <code>${escaped(address)}</code></li>`,
  );
  const troubles = failing.map((one) => `<li>${trouble(one, wall)}</li>`);
  const waiting = own.filter((one) => one.state === 'waiting').length;
  return [
    `<h2>${escaped(cluster.name)}</h2>`,
    `<p>${escaped(headline(cluster, own, failing))}${waiting > 0 ? ` ${waiting} did not read yet.` : ''}</p>`,
    `<ul>${nodes.join('')}</ul>`,
    troubles.length === 0 ? '' : `<p>What fails:</p><ul>${troubles.join('')}</ul>`,
  ].join('\n');
}

function headline(cluster: ClusterReport, own: readonly unknown[], failing: readonly unknown[]): string {
  const up = cluster.nodes.filter((node) => node.state === 'up').length;
  const nodes = cluster.nodes.length === 0 ? 'No node is known.' : `${up} of ${cluster.nodes.length} nodes are up.`;
  return failing.length === 0
    ? `${nodes} No collector fails.`
    : `${nodes} ${failing.length} of ${own.length} collectors fail.`;
}

function trouble({ collector, node, reason, message, lastSuccess }: CollectorReport, wall: number): string {
  const where = node === '' ? collector : `${collector} on ${node}`;
  const age = lastSuccess === null ? undefined : Math.max(0, wall - Date.parse(lastSuccess));
  const since =
    age === undefined ? 'it never worked' : `it last worked ${formatDuration(Math.round(age / 1000) * 1000)} ago`;
  return `${bad(true, where)} (${escaped(reason)}): ${escaped(message)}; ${since}`;
}

function bad(isBad: boolean, text: string): string {
  return isBad ? `<strong class="bad">${escaped(text)}</strong>` : escaped(text);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
