import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readJson } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { polledSeldom, startGuardEnvironment } from './guard-environment.ts';
import { delayedNetwork, partsOn, portsOn } from './network-clock.ts';

const guard = {
  mode: 'enforce',
  budgets: { per_node: { max: 100, within: '10m' }, per_cluster: { max: 100, within: '10m' } },
  breakers: { same_query: { aborts: 100, within: '10m' } },
  policies: [
    {
      name: 'runaway',
      mode: 'enforce',
      when: { query: 'ring_*', age: '> 10s' },
      victims: { max: 100 },
      grace: '5s',
      cooldown: '0s',
    },
  ],
};
const queries = 24;
const state = z.object({ paused: z.boolean(), reasons: z.array(z.string()) });

function stateOf(daemon: InProcessDaemon): Promise<z.infer<typeof state>> {
  return readJson(`${daemon.url}/api/v1/guard`).then((body) => state.parse(body));
}

it.each([
  ['always responds sooner to one of them', [1, 30]],
  ['responds sooner to either of them', [10, 10]],
])('one of two daemons pauses itself if the server %s', async (_, [fast = 1, slow = 1]) => {
  const environment = await startGuardEnvironment({ guard, wayOf: () => fast });
  const { clock, simulator } = environment;
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  let turn = 0;
  // Even with equal ways, now one of them is faster, now the other.
  const wayOf = (): number => {
    turn += 1;
    return slow + (slow === fast ? (turn % 7) - 3 : 0);
  };
  const other = await clock.through(
    startInProcessDaemon(
      {
        clusters: [{ name: 'prod', nodes }],
        collectors: { ...polledSeldom, queries: { interval: '5s', timeout: '5s' } },
        guard,
      },
      portsOn(clock, delayedNetwork(clock, wayOf)),
      partsOn(clock),
    ),
  );
  onTestFinished(async () => {
    await clock.through(other.stop());
    await environment.stop();
  });
  for (let count = 0; count < queries; count += 1) {
    simulator.control.startQuery({
      node: 'm1',
      graph: 'fraud',
      query: `ring_${count}`,
      runsFor: 900_000,
      timeout: 900_000,
    });
    await environment.run(7000);
  }
  const states = [await stateOf(environment.daemon()), await stateOf(other)];
  expect(states.filter(({ paused }) => paused)).toEqual([{ paused: true, reasons: ['other_guard'] }]);
  // The guard that is left aborts the rest.
  await environment.run(40_000);
  expect(simulator.aborts()).toHaveLength(queries);
});
