import { expect, it, onTestFinished } from 'vitest';
import { instanceOf } from '../../../campaigns/crash/evidence.ts';
import { observeListener, statusesIn } from '../../../campaigns/crash/observed-listener.ts';
import type { IncomingRequest, Listen } from '../../../src/kernel/listener.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { listen } from '../../../src/runtime/listener.ts';
import { startSimulator } from '../../../src/simulator/simulator.ts';
import { send } from '../../support/http.ts';

const path = '/informant/current-service-status';

it('observed listener › observes requests, sent responses and served statuses', async () => {
  const seen: string[] = [];
  const said: ReturnType<typeof statusesIn>[] = [];
  const observed: Listen = observeListener(listen, {
    onRequest: (request, port) => {
      seen.push(`${request.path} at ${port}`);
      return (reply, whole) => {
        seen.push(`${reply.status} ${whole}`);
        said.push(statusesIn(request, reply));
      };
    },
  });
  const simulator = await startSimulator({ nodes: 2 }, { listen: observed, clock: systemClock });
  onTestFinished(() => simulator.close());
  simulator.control.setService('GPE', '1', '2', 'Down');
  const [node] = simulator.nodes;
  const names = ['GPE', 'KAFKA'].map((ServiceName) => ({ ServiceName }));
  const body = JSON.stringify({ ServiceDescriptors: names });
  const { status } = await send(`${node?.url}${path}`, { method: 'POST', body });
  expect(status).toBe(200);
  expect(seen).toEqual([`${path} at ${node?.port}`, '200 true']);
  expect(Object.fromEntries(said[0] ?? [])).toEqual({
    'GPE_1#1': 'Online',
    'GPE_1#2': 'Down',
    'KAFKA#1': 'Online',
    'KAFKA#2': 'Online',
  });
});

function requestTo(at: string): IncomingRequest {
  return {
    method: 'POST',
    path: at,
    query: new URLSearchParams(),
    headers: {},
    remoteAddress: '127.0.0.1',
    disconnected: new AbortController().signal,
    text: async () => '',
  };
}

it('observed listener › distinguishes a response about services from other responses', () => {
  const body = JSON.stringify({
    ServiceStatusEvents: [{ ServiceDescriptor: { ServiceName: 'ZK' }, ServiceStatus: 'Online' }],
  });
  expect(statusesIn(requestTo(path), { status: 200, body })).toEqual(new Map([['ZK', 'Online']]));
  expect(statusesIn(requestTo('/version'), { status: 200, body })).toBeUndefined();
  expect(statusesIn(requestTo(path), { status: 502, body })).toBeUndefined();
  expect(statusesIn(requestTo(path), { status: 200, body: '{}' })).toBeUndefined();
  expect(instanceOf('ZK', '', '')).toBe('ZK');
});
