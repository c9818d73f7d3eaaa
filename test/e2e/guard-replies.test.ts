import { expect, it, onTestFinished } from 'vitest';
import type { FaultName } from '../../src/simulator/faults/fault.ts';
import { casesOfRun, itInShortForm } from '../support/campaign.ts';
import { outcomesOf } from './guard-api-client.ts';
import { abortCalls, startGuardEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '5s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };

/** What is wrong with the answer to an abort, and what the guard makes of it; all but what is refused did its work. */
const faults: readonly (readonly [FaultName, string])[] = [
  ['redirect_elsewhere', 'vanished'],
  ['redirect_loop', 'vanished'],
  ['status_500', 'vanished'],
  ['status_503', 'vanished'],
  ['status_403', 'refused'],
  ['status_404', 'refused'],
  ['html_200', 'vanished'],
  ['html_502', 'vanished'],
  ['truncated_json', 'vanished'],
  ['empty_body', 'vanished'],
  ['reset_mid_body', 'vanished'],
  ['hang_before_headers', 'vanished'],
  ['hang_within_body', 'vanished'],
  ['slow_drip', 'vanished'],
  ['body_100mb', 'vanished'],
  ['gzip_bomb', 'vanished'],
  ['invalid_json', 'vanished'],
  ['invalid_utf8', 'vanished'],
  ['wrong_content_type', 'vanished'],
];

/** Faults of the short form: one of each kind. */
const short: readonly FaultName[] = [
  'redirect_elsewhere',
  'status_500',
  'status_403',
  'truncated_json',
  'reset_mid_body',
  'hang_before_headers',
  'body_100mb',
];

it.each(casesOfRun(faults, ([fault]) => short.includes(fault)))(
  'guard sends an abort with the reply %s once, and reports it as %s',
  async (fault, outcome) => {
    const environment = await startGuardEnvironment({ guard, simulated: { nodes: 2 } });
    onTestFinished(() => environment.stop());
    await environment.simulator.control.injectFault(fault, { path: /abort/ });
    const query = environment.simulator.control.startQuery(order);
    await environment.run(75_000);
    expect(abortCalls(environment.simulator).map(({ node }) => node)).toEqual(['m1']);
    expect(environment.simulator.aborts().map(({ requestId }) => requestId)).toEqual(
      outcome === 'refused' ? [] : [query?.requestId],
    );
    expect(await outcomesOf(environment)).toEqual([outcome]);
  },
);

itInShortForm('aborts the next query after hostile answers to abort requests', async () => {
  const environment = await startGuardEnvironment({ guard });
  onTestFinished(() => environment.stop());
  const { clock, simulator } = environment;
  for (const fault of ['body_100mb', 'reset_mid_body'] as const) {
    const remove = await clock.through(simulator.control.injectFault(fault, { path: /abort/ }));
    simulator.control.startQuery({ ...order, query: `ring_${fault}` });
    await environment.run(55_000);
    await clock.through(remove());
  }
  const next = simulator.control.startQuery(order);
  await environment.run(55_000);
  expect(simulator.aborts().at(-1)?.requestId).toBe(next?.requestId);
  expect(await outcomesOf(environment)).toEqual(['confirmed', 'vanished', 'vanished']);
});
