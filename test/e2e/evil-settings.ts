import { isCampaign } from '../support/campaign.ts';
import { watchingCollectors as collectors } from '../support/watching-collectors.ts';

/** Names of all collectors. */
export const collectorNames: readonly string[] = collectors.map(({ name }) => name);
/** Often, and long enough for the answer of a good node on a busy machine. */
const timing = { interval: isCampaign() ? '3s' : '6s', timeout: '3s' };

/** Seconds for a probe: the evil one never gives a good answer, and a good one gives it late on a busy machine. */
const probeTime = { evil: 2, good: 20 };
/** The GSQL server requires a user, and accepts any. */
const user = { basic: { username: 'monitor', password: 'simulated' } };

interface GoodNode {
  readonly name: string;
  readonly url: string;
  readonly instance: string;
}

/** Configuration of a daemon that polls good nodes and, at `port`, an evil one, with all collectors. */
export function evilSettings(good: readonly GoodNode[], port: number, more: Readonly<Record<string, unknown>>) {
  const nodes = good.map(({ name, url, instance }) => ({ name, url, instance }));
  return {
    listen: '127.0.0.1:0',
    clusters: [
      {
        name: 'c',
        graphs: ['fraud'],
        read_auth: user,
        abort_auth: user,
        nodes: [...nodes, { name: 'evil', url: `http://127.0.0.1:${port}` }],
      },
    ],
    collectors: Object.fromEntries(
      collectors.map(({ name, defaults }) => [name, defaults.schedule === undefined ? timing : { enabled: true }]),
    ),
    ...more,
  };
}

/** Request that polls a node with collectors, by default with all. */
export function probeOf(node: string, names = collectorNames) {
  const collector = names.map((name) => `collector=${name}`).join('&');
  const seconds = node === 'evil' ? probeTime.evil : probeTime.good;
  return {
    path: `/probe?target=c/${node}&${collector}`,
    headers: { 'x-prometheus-scrape-timeout-seconds': String(seconds) },
  };
}
