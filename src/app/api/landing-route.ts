import type { AlertView } from '../../alert/alert-view.ts';
import { countField } from '../../api/fields.ts';
import { heartbeatRule } from '../../model/alert.ts';
import { gather } from './landing/gather.ts';
import { landingPage } from './landing/page.ts';
import { ownStory, storyOf } from './landing/story.ts';
import { parameter } from './query-parameters.ts';
import { htmlReply, problemReply } from './reply.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { Route } from './routes.ts';

const maxRefreshSeconds = 3600;

/** Returns the route of the status page, which is rendered from the latest poll results. */
export function landingRoute(site: RouteDependencies, prefix: () => string): Route {
  return {
    method: 'GET',
    path: '/',
    about: 'Returns the status page. Sends no upstream request.',
    parameters: [
      parameter(
        'refresh',
        'Seconds after which the browser reloads the page.',
        countField.min(1).max(maxRefreshSeconds),
      ),
    ],
    response: { type: 'text/html' },
    errorResponses: { 400: 'A parameter is invalid.' },
    handle: async ({ query }) => {
      const refresh = query.get('refresh');
      if (refresh !== null && !isRefresh(refresh)) {
        return problemReply(400, `refresh must be a whole number from 1 to ${maxRefreshSeconds}.`);
      }
      return htmlReply(await page(site, prefix(), refresh ?? ''));
    },
  };
}

function isRefresh(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxRefreshSeconds;
}

async function page(site: RouteDependencies, prefix: string, refresh: string): Promise<string> {
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

/** The watchdog always fires. */
function ownAlerts({ alerts }: RouteDependencies): readonly AlertView[] {
  return alerts.alerts().filter(({ labels, rule }) => labels.cluster_name === undefined && rule !== heartbeatRule);
}
