import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { collectors } from '../../src/collect/all.ts';
import type { SimulatorOptions } from '../../src/simulator/options.ts';
import { openIncidents } from '../../src/simulator/receivers/received-request.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { acceptedBy, addressOf, notificationsTo } from '../support/alerting-cluster.ts';
import { casesOfRun, itInCampaign, itInShortForm, numberOfRuns } from '../support/campaign.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';
import { delayedNetwork, listenOn, NetworkClock, partsOn, portsOn, randomLatency } from './network-clock.ts';

const second = 1000;
const minute = 60 * second;
/** Pending periods, group waits and update intervals are those of operation; the clock stands still while work is in progress. */

interface Scene {
  readonly simulator: Simulator;
  readonly receivers: SimulatedReceivers;
  readonly clock: NetworkClock;
  /** Advances the clock until a condition holds. */
  readonly until: (what: string, isReached: () => Promise<boolean> | boolean) => Promise<void>;
  /** Advances the clock until every alert is resolved and every receiver knows that. */
  readonly recovered: () => Promise<void>;
}

interface SceneOptions {
  readonly clusters?: readonly string[];
  /** Settings of the enabled collectors. */
  readonly polled?: Readonly<Record<string, object>>;
  readonly routes?: readonly object[];
}

const often = { interval: '10s', timeout: '10s' };
const statuses = { health: often, services: often };
/** For collectors that show no outage earlier than the others. */
const seldom = { interval: '30s', timeout: '10s' };

const everyAlert = [
  { matchers: ['severity="critical"'], receivers: ['oncall', 'chat'] },
  { receivers: ['oncall', 'chat'] },
];

/** Clusters that share a node. */
const sharing = numberOfRuns({ short: 6, campaign: 50 });

/** A daemon with all rules and their defaults; PagerDuty and Slack get every alert. */
async function scene(options: SimulatorOptions, more: SceneOptions = {}): Promise<Scene> {
  const clock = new NetworkClock();
  const ports = { listen: listenOn(clock), clock };
  const simulator = await startSimulator(options, ports);
  onTestFinished(() => clock.through(simulator.close()));
  const receivers = await startSimulatedReceivers(
    [
      { name: 'oncall', kind: 'pagerduty' },
      { name: 'chat', kind: 'slack' },
    ],
    ports,
  );
  onTestFinished(() => clock.through(receivers.close()));
  const network = delayedNetwork(clock, randomLatency(25, seededRandom(1)));
  const starting = startInProcessDaemon(
    settingsFor(simulator, receivers, more),
    portsOn(clock, network),
    partsOn(clock),
  );
  const daemon = await clock.through(starting);
  onTestFinished(() => clock.through(daemon.stop()));
  const until: Scene['until'] = async (what, isReached) => {
    const end = clock.now().mono + 60 * minute;
    while (!(await isReached())) {
      if (clock.now().mono > end) throw new Error(`not within an hour: ${what}`);
      await clock.advance(5 * second);
    }
  };
  await until('every service is confirmed', () => isConfirmed(daemon));
  return {
    clock,
    simulator,
    receivers,
    until,
    recovered: async () => {
      await until('no alert fires', async () => (await firingCount(daemon)) === 0);
      await until('every receiver knows', async () => (await queuedCount(daemon)) === 0);
      expect(openIncidents(receivers.requests(), 'oncall', clock.now().wall)).toEqual([]);
    },
  };
}

function settingsFor(
  simulator: Simulator,
  receivers: SimulatedReceivers,
  options: SceneOptions,
): Record<string, unknown> {
  const {
    clusters = ['prod'],
    polled = { ...statuses, metrics: seldom, queries: seldom },
    routes = everyAlert,
  } = options;
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  return {
    clusters: clusters.map((name) => ({ name, nodes, graphs: ['fraud'] })),
    collectors: Object.fromEntries(collectors.map(({ name }) => [name, polled[name] ?? { enabled: false }])),
    alerts: {
      receivers: [
        { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: 'k'.repeat(32) } },
        { name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } },
      ],
      routes,
    },
  };
}

async function isConfirmed({ url }: InProcessDaemon): Promise<boolean> {
  const { items } = JSON.parse((await send(`${url}/api/v1/services?limit=1000`)).text);
  return items.length > 0 && items.every((one: { confirmed?: string }) => one.confirmed === 'Online');
}

async function firingCount({ url }: InProcessDaemon): Promise<number> {
  const { items } = JSON.parse((await send(`${url}/api/v1/alerts?phase=firing&limit=1000`)).text);
  return items.filter(({ rule }: { rule: string }) => rule !== 'watchdog').length;
}

async function queuedCount(daemon: InProcessDaemon): Promise<number> {
  const page = await daemon.page();
  return ['oncall', 'chat'].reduce(
    (sum, receiver) => sum + (page.value('graphwarden_outbox_depth', { receiver }) ?? 1),
    0,
  );
}

/** Keys of the PagerDuty incidents that were opened, or resolved. */
function incidents(receivers: SimulatedReceivers, action: 'trigger' | 'resolve'): readonly string[] {
  const own = acceptedBy(receivers, 'oncall').filter((one) => one.action === action);
  return [...new Set(own.map(({ key }) => key))].toSorted();
}

/** Summaries of the notifications that a person gets, without those about a known incident. */
function pages(receivers: SimulatedReceivers): readonly string[] {
  const known = new Set<string>();
  return acceptedBy(receivers, 'oncall').flatMap(({ action, key, summary }) => {
    if (action !== 'trigger' || known.has(key)) return [];
    known.add(key);
    return [summary];
  });
}

function chatTexts(receivers: SimulatedReceivers): readonly string[] {
  return notificationsTo(receivers, 'chat').map(
    ({ body }) => z.object({ text: z.string() }).parse(JSON.parse(body)).text,
  );
}

/** Expects one incident at every receiver, from its trigger to its resolve. */
function expectOneIncident(receivers: SimulatedReceivers, summary: RegExp): void {
  expect(pages(receivers)).toEqual([expect.stringMatching(summary)]);
  expect(incidents(receivers, 'resolve')).toEqual(incidents(receivers, 'trigger'));
  const texts = chatTexts(receivers);
  expect(texts.filter((text) => text.startsWith('FIRING'))).toHaveLength(1);
  expect(texts.filter((text) => text.startsWith('RESOLVED'))).toHaveLength(1);
}

describe('the number of pages', () => {
  itInShortForm('is one for a lost node, also if its partitions have no other replica', async () => {
    const { simulator, receivers, clock, recovered } = await scene({ nodes: 5 });
    await simulator.control.stopNode('m2');
    await clock.advance(4 * minute);
    await simulator.control.startNode('m2');
    await recovered();
    expectOneIncident(receivers, /^Node m2 of prod is unreachable$/);
  });

  itInShortForm('is one for a cluster whose nodes are all lost', async () => {
    const { simulator, receivers, clock, recovered } = await scene({ nodes: 3 });
    const { control, nodes } = simulator;
    await Promise.all(nodes.map(({ name }) => control.stopNode(name)));
    await clock.advance(4 * minute);
    await Promise.all(nodes.map(({ name }) => control.startNode(name)));
    await recovered();
    expectOneIncident(receivers, /^Cluster prod is down: none of its 3 nodes answers$/);
  });

  itInCampaign(
    'is one for `gadmin stop all`, which stops the services one after the other and the nodes last',
    async () => {
      const { simulator, receivers, clock, recovered } = await scene({ nodes: 3 });
      const { control, nodes } = simulator;
      const services = simulator.truth().services.toReversed();
      for (const { service, partition, replica } of services) {
        control.setService(service, partition, replica, 'Down');
        await clock.advance(second / 4);
      }
      for (const { name } of nodes) {
        await control.stopNode(name);
        await clock.advance(5 * second);
      }
      await clock.advance(4 * minute);
      for (const { name } of nodes) {
        await control.startNode(name);
        await clock.advance(5 * second);
      }
      await recovered();
      expectOneIncident(receivers, /^Cluster prod is down: /);
    },
  );

  itInShortForm('is one for an outage of all replicas of all partitions of a service', async () => {
    const { simulator, receivers, clock, recovered } = await scene({ nodes: 4 });
    const engines = simulator.truth().services.filter(({ service }) => service === 'GPE');
    const setAll = async (status: 'Down' | 'Online'): Promise<void> => {
      for (const { service, partition, replica } of engines) {
        simulator.control.setService(service, partition, replica, status);
        await clock.advance(second);
      }
    };
    await setAll('Down');
    await clock.advance(4 * minute);
    await setAll('Online');
    await recovered();
    expectOneIncident(receivers, /^GPE of prod is down: none of its 2 partitions has an online replica$/);
  });

  it(`is one for each of ${sharing} clusters that share a lost node, and chat gets one summary`, async () => {
    const clusters = Array.from({ length: sharing }, (_, at) => `c${String(at + 1).padStart(2, '0')}`);
    const { simulator, receivers, until, recovered } = await scene(
      { nodes: 2 },
      {
        clusters,
        polled: statuses,
        routes: [
          { receivers: ['oncall'], group_wait: '0s', continue: true },
          { receivers: ['chat'], group_by: ['cluster_name'], group_wait: '60s' },
        ],
      },
    );
    await simulator.control.stopNode('m2');
    await until('every cluster paged', () => pages(receivers).length >= sharing);
    await until('chat has a message', () => chatTexts(receivers).length > 0);
    await simulator.control.startNode('m2');
    await recovered();
    expect(pages(receivers).toSorted()).toEqual(clusters.map((name) => `Node m2 of ${name} is unreachable`));
    expect(incidents(receivers, 'resolve')).toEqual(incidents(receivers, 'trigger'));
    const firing = notificationsTo(receivers, 'chat').filter(({ body }) => body.includes('FIRING'));
    expect(firing).toHaveLength(1);
    const summary = `${sharing} critical: GraphdbNodeUnreachable (node=m2): ${sharing} incidents in ${sharing} clusters`;
    expect(chatTexts(receivers)[0]).toSatisfy((text: string) => text.startsWith(`FIRING ${summary}`));
    for (const name of clusters) expect(firing[0]?.body).toContain(name);
  }, 1_200_000);

  const flapping = [
    ['is down for 25 s of every 50 s', 25 * second],
    ['crashes every two seconds', 2 * second],
  ] as const;
  it.each(casesOfRun(flapping, (_, index) => index === 0))('is one for a last replica that %s', async (_, half) => {
    const { simulator, receivers, clock, recovered } = await scene({ nodes: 5 });
    const isPaged = () =>
      notificationsTo(receivers, 'oncall').some(({ body }) => body.includes('"severity":"critical"'));
    const end = clock.now().mono + 20 * minute;
    while (!isPaged() && clock.now().mono < end) {
      for (const status of ['Down', 'Online'] as const) {
        simulator.control.setService('GPE', '2', '1', status);
        await clock.advance(half);
      }
    }
    await recovered();
    expect(incidents(receivers, 'trigger')).toHaveLength(1);
    expect(incidents(receivers, 'resolve')).toEqual(incidents(receivers, 'trigger'));
    // Which rule pages depends on the moments at which the polls see the replica.
    expect(acceptedBy(receivers, 'oncall').some(({ summary }) => summary.startsWith('GPE_2 of prod '))).toBe(true);
  });
});
