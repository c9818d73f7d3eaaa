import { describe, expect, it } from 'vitest';
import type { TransitionReport } from '../../../src/api/services.ts';
import { EventBroker, eventsRoute } from '../../../src/app/api/event-stream.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { FakeClock } from '../../support/clock.ts';

const transition: TransitionReport = {
  at: '2026-09-22T12:00:00.000Z',
  cluster: 'prod',
  service: 'GPE',
  partition: '1',
  replica: '2',
  from: '',
  to: '',
  lastedSeconds: null,
  process: '',
  source: 'm1',
  eventId: '',
  eventNs: '',
};

const decoder = new TextDecoder();

function setUp() {
  const clock = new FakeClock();
  const hub = new EventBroker(clock);
  const listen = () => {
    const client = new AbortController();
    const chunks = hub.subscribe('', client.signal)?.[Symbol.asyncIterator]();
    if (chunks === undefined) throw new Error('no subscriber is accepted');
    const next = async () => {
      const { value, done } = await chunks.next();
      return done === true ? 'end of the stream' : decoder.decode(value);
    };
    return { client, next };
  };
  return { clock, hub, listen };
}

function event(to: string) {
  return { kind: 'transition', value: { ...transition, to } } as const;
}

function request(more: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    method: 'GET',
    path: '/api/v1/events',
    query: new URLSearchParams(),
    headers: {},
    remoteAddress: '127.0.0.1',
    disconnected: new AbortController().signal,
    text: async () => '',
    ...more,
  };
}

describe('event stream', () => {
  it('starts at once, and sends events to every subscriber in order', async () => {
    const { hub, listen } = setUp();
    const subscribers = [listen(), listen()];
    for (const { next } of subscribers) expect(await next()).toBe(': connected\n\n');
    hub.publish(event('Down'));
    hub.publish(event('Online'));
    for (const { next } of subscribers) {
      for (const to of ['Down', 'Online']) {
        expect(await next()).toBe(`event: transition\ndata: ${JSON.stringify({ ...transition, to })}\n\n`);
      }
    }
  });

  it('wakes a waiting subscriber', async () => {
    const { hub, listen, clock } = setUp();
    const { next } = listen();
    await next();
    const waited = next();
    await clock.advance(1000);
    hub.publish(event('Down'));
    expect(await waited).toContain('Down');
  });

  it('sends a heartbeat to an idle subscriber', async () => {
    const { listen, clock } = setUp();
    const { next } = listen();
    await next();
    const waited = next();
    await clock.advance(15_000);
    expect(await waited).toBe(': heartbeat\n\n');
  });

  it('ends for a subscriber that disconnects, and for one that falls behind', async () => {
    const { hub, listen } = setUp();
    const [left, slow] = [listen(), listen()];
    await left.next();
    await slow.next();
    const waited = left.next();
    left.client.abort();
    expect(await waited).toBe('end of the stream');
    for (let count = 0; count <= 1000; count += 1) hub.publish(event('Down'));
    expect(await slow.next()).toBe('end of the stream');
  });

  it('reports the client of a subscriber that falls behind, once', async () => {
    const behind: string[] = [];
    const broker = new EventBroker(new FakeClock(), (client) => behind.push(client));
    for (const client of ['slow', 'other']) {
      const chunks = broker.subscribe(client, new AbortController().signal)?.[Symbol.asyncIterator]();
      await chunks?.next();
      if (client === 'slow') for (let count = 0; count <= 1100; count += 1) broker.publish(event('Down'));
    }
    expect(behind).toEqual(['slow']);
  });

  it('ends for all subscribers when it is closed, and rejects new ones afterwards', async () => {
    const { hub, listen } = setUp();
    const { next } = listen();
    await next();
    const waited = next();
    hub.close();
    expect(await waited).toBe('end of the stream');
    expect(hub.subscribe('', new AbortController().signal)).toBeUndefined();
  });

  it('accepts 100 subscribers, and another one after a disconnect', async () => {
    const { hub, listen } = setUp();
    const subscribers = Array.from({ length: 100 }, listen);
    expect(hub.subscribe('', new AbortController().signal)).toBeUndefined();
    const [first] = subscribers;
    await first?.next();
    first?.client.abort();
    expect(await first?.next()).toBe('end of the stream');
    expect(hub.subscribe('', new AbortController().signal)).toBeDefined();
  });

  it('is served, rejected with a problem, and requested by HEAD without a subscription', async () => {
    const { hub } = setUp();
    const route = eventsRoute(hub);
    expect(await route.handle(request({ method: 'HEAD' }), {})).not.toHaveProperty('body');
    const good = await route.handle(request(), {});
    expect(good).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    expect(good).toHaveProperty('body');
    hub.close();
    expect(await route.handle(request(), {})).toMatchObject({ status: 503 });
  });
});
