import { describe, expect, it } from 'vitest';
import { EventHub, eventsRoute } from '../../src/app/event-stream.ts';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { FakeClock } from '../support/clock.ts';

const decoder = new TextDecoder();

function setUp() {
  const clock = new FakeClock();
  const hub = new EventHub(clock);
  const listen = () => {
    const client = new AbortController();
    const pieces = hub.listen(client.signal)?.[Symbol.asyncIterator]();
    if (pieces === undefined) throw new Error('nobody may listen');
    const next = async () => {
      const { value, done } = await pieces.next();
      return done === true ? 'the end' : decoder.decode(value);
    };
    return { client, next };
  };
  return { clock, hub, listen };
}

function event(to: string) {
  return { kind: 'transition', value: { to } } as const;
}

function request(more: Partial<IncomingRequest> = {}): IncomingRequest {
  return {
    method: 'GET',
    path: '/api/v1/events',
    query: new URLSearchParams(),
    headers: {},
    remoteAddress: '127.0.0.1',
    gone: new AbortController().signal,
    text: async () => '',
    ...more,
  };
}

describe('the stream of events', () => {
  it('begins at once, and tells everybody what happens in its order', async () => {
    const { hub, listen } = setUp();
    const readers = [listen(), listen()];
    for (const { next } of readers) expect(await next()).toBe(': connected\n\n');
    hub.publish(event('Down'));
    hub.publish(event('Online'));
    for (const { next } of readers) {
      expect(await next()).toBe('event: transition\ndata: {"to":"Down"}\n\n');
      expect(await next()).toBe('event: transition\ndata: {"to":"Online"}\n\n');
    }
  });

  it('wakes a reader that waits', async () => {
    const { hub, listen, clock } = setUp();
    const { next } = listen();
    await next();
    const waited = next();
    await clock.advance(1000);
    hub.publish(event('Down'));
    expect(await waited).toContain('Down');
  });

  it('tells a reader that it is still there', async () => {
    const { listen, clock } = setUp();
    const { next } = listen();
    await next();
    const waited = next();
    await clock.advance(15_000);
    expect(await waited).toBe(': still here\n\n');
  });

  it('lets one go who has left, and who has fallen behind', async () => {
    const { hub, listen } = setUp();
    const [left, slow] = [listen(), listen()];
    await left.next();
    await slow.next();
    const waited = left.next();
    left.client.abort();
    expect(await waited).toBe('the end');
    for (let count = 0; count <= 1000; count += 1) hub.publish(event('Down'));
    expect(await slow.next()).toBe('the end');
  });

  it('ends for all, and takes nobody afterwards', async () => {
    const { hub, listen } = setUp();
    const { next } = listen();
    await next();
    const waited = next();
    hub.end();
    expect(await waited).toBe('the end');
    expect(hub.listen(new AbortController().signal)).toBeUndefined();
  });

  it('takes a hundred readers, and another one when one has left', async () => {
    const { hub, listen } = setUp();
    const readers = Array.from({ length: 100 }, listen);
    expect(hub.listen(new AbortController().signal)).toBeUndefined();
    const [first] = readers;
    await first?.next();
    first?.client.abort();
    expect(await first?.next()).toBe('the end');
    expect(hub.listen(new AbortController().signal)).toBeDefined();
  });

  it('is served, refused in words, and asked for by HEAD without listening', async () => {
    const { hub } = setUp();
    const route = eventsRoute(hub);
    expect(await route.handle(request({ method: 'HEAD' }), {})).not.toHaveProperty('body');
    const good = await route.handle(request(), {});
    expect(good).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    expect(good).toHaveProperty('body');
    hub.end();
    expect(await route.handle(request(), {})).toMatchObject({ status: 503 });
  });
});
