import { guardRoutes } from '../../../src/app/api/guard-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { policyOf } from '../../guard/match-inputs.ts';
import { recordingLogger } from '../../support/logger.ts';
import { FakeGuardControl } from '../fake-guard-control.ts';
import { clusterOf, configOf, sendRequest } from '../fakes.ts';

/** The routes of the guard of the clusters `prod` and `test`. */
export function setUpGuardRoutes() {
  const control = new FakeGuardControl();
  const log = recordingLogger();
  const clusters = [clusterOf('prod', ['m1']), clusterOf('test', ['m2'])];
  const plain = configOf(clusters, { operators: ['alice'] });
  const policies = [policyOf(), policyOf(undefined, { name: 'shy', mode: 'observe' })];
  const config = { ...plain, guard: { ...plain.guard, mode: 'enforce', policies } } as const;
  const routes = guardRoutes({ log, config: () => config, control: () => control, history: memoryStore() });
  const handler = createHandler(routes, () => '');
  const call = async (target: string, request: Partial<IncomingRequest> = {}) => {
    const { status, body } = await sendRequest(handler, target, request);
    return { status, answer: JSON.parse(body) };
  };
  const post = (target: string, body: unknown = '', request: Partial<IncomingRequest> = {}) => {
    const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
    return call(target, { method: 'POST', text, ...request });
  };
  return { control, log, call, post, routes };
}
