import { expect, it } from 'vitest';
import { startEnvironment } from './guard-environment.ts';

const secret = 'a-secret-of-the-test';

it.each(['4.1', '3.9'])('a daemon drops its token when it stops, server %s', async (version) => {
  const environment = await startEnvironment({
    simulated: { version, auth: { kind: 'secret', secret } },
    cluster: { read_auth: { secret } },
    guard: { mode: 'observe', policies: [] },
  });
  const { simulator } = environment;
  await environment.run(20_000);
  const page = await environment.daemon().page();
  const requests = (outcome: string) =>
    page.value('graphwarden_token_requests_total', { cluster_name: 'prod', outcome });
  expect(['created', 'renewed', 'refused', 'failed'].map(requests)).toEqual([1, 0, 0, 0]);
  const deletions = () => simulator.calls().filter(({ method }) => method === 'DELETE');
  expect(deletions()).toEqual([]);
  await environment.restart();
  expect(deletions()).toMatchObject([{ status: 200 }]);
  await environment.stop();
  expect(deletions()).toHaveLength(2);
});
