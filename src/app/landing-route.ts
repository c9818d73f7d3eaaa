import type { AlertView } from '../alert/alert-view.ts';
import { gather } from './landing/gather.ts';
import { landingPage } from './landing/page.ts';
import { ownStory, storyOf } from './landing/story.ts';
import { problem } from './reply.ts';
import type { Route } from './routes.ts';
import type { Site } from './site.ts';

/** `/`: the state of things in words, from what is known already, and where everything is. */
export function landingRoute(site: Site, prefix: () => string): Route {
  return {
    method: 'GET',
    path: '/',
    about: 'The state of things in words, and links; asks no node.',
    parameters: [
      {
        name: 'refresh',
        about: 'Seconds after which the browser shall ask again.',
        schema: { type: 'integer', minimum: 1, maximum: 3600 },
      },
    ],
    gives: { type: 'text/html' },
    problems: { 400: 'A parameter is out of range.' },
    handle: async ({ query }) => {
      const refresh = query.get('refresh');
      if (refresh !== null && !isRefresh(refresh)) return problem(400, 'refresh wants seconds, from 1 to 3600.');
      return {
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: await page(site, prefix(), refresh ?? ''),
      };
    },
  };
}

function isRefresh(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 3600;
}

async function page(site: Site, prefix: string, refresh: string): Promise<string> {
  const { clock, build, notice } = site.ports;
  const { wall } = clock.now();
  const facts = await gather(site);
  return landingPage({
    stories: [...ownStory(ownAlerts(site), wall), ...facts.map((one) => storyOf(one, wall))],
    build,
    ready: site.isReady(),
    wall,
    prefix,
    ...(notice === undefined ? {} : { notice }),
    ...(refresh === '' ? {} : { refresh: Number(refresh) }),
  });
}

/** The heartbeat is no news. */
function ownAlerts({ alerts }: Site): readonly AlertView[] {
  return alerts.alerts().filter(({ labels, rule }) => labels.cluster_name === undefined && rule !== 'watchdog');
}
