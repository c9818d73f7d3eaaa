import { expect, it, onTestFinished } from 'vitest';
import { abortCalls, startGuardEnvironment } from './guard-environment.ts';

const modes = ['observe', 'enforce'] as const;
const [reader, aborter] = ['reading-token-0001', 'aborting-token-0001'];

/** What may abort, what may not, and what is not even there; the last is refused by the configuration of who enforces. */
const credentials = {
  able: { auth: { bearer_token: aborter }, aborts: true },
  unable: { auth: { bearer_token: reader }, aborts: false },
  none: { auth: undefined, aborts: false },
} as const;

const cells = modes.flatMap((guard) =>
  modes.flatMap((policy) => (['able', 'unable', 'none'] as const).map((name) => ({ guard, policy, name }))),
);

it.each(cells)('guard mode $guard, policy mode $policy, abort credential $name', async (cell) => {
  const { auth, aborts } = credentials[cell.name];
  const isEnforced = cell.guard === 'enforce' && cell.policy === 'enforce';
  const opening = startGuardEnvironment({
    simulated: { auth: { kind: 'bearer', token: reader, abortToken: aborter } },
    cluster: { read_auth: { bearer_token: reader }, ...(auth === undefined ? {} : { abort_auth: auth }) },
    guard: {
      mode: cell.guard,
      policies: [{ name: 'runaway', mode: cell.policy, when: { query: 'ring_*', age: '> 20s' }, grace: '10s' }],
    },
  });
  if (isEnforced && cell.name === 'none') {
    await expect(opening).rejects.toThrow('requires abort_auth');
    return;
  }
  const environment = await opening;
  onTestFinished(() => environment.stop());
  const { simulator } = environment;
  const order = { node: 'm1', graph: 'fraud', query: 'ring_scan_all', runsFor: 600_000, timeout: 600_000 };
  const started = simulator.control.startQuery(order);
  await environment.run(60_000);
  expect(abortCalls(simulator)).toHaveLength(isEnforced ? 1 : 0);
  const aborted = simulator.aborts().map(({ requestId }) => requestId);
  expect(aborted).toEqual(isEnforced && aborts ? [started?.requestId] : []);
  const page = await environment.daemon().page();
  const labels = { cluster_name: 'prod', policy: 'runaway', node: 'm1' };
  expect(page.value('graphwarden_guard_would_abort_total', labels) ?? 0).toBe(isEnforced ? 0 : 1);
  expect(page.value('graphwarden_guard_abort_attempts_total', labels) ?? 0).toBe(isEnforced ? 1 : 0);
});
