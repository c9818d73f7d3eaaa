import { expect, it } from 'vitest';
import { transitionSchema } from '../../../src/api/services.ts';
import { type ApiEvent, EventBroker } from '../../../src/app/api/event-stream.ts';
import { followEvents, RecentEvents } from '../../../src/app/api/replica-events.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { exampleOf } from '../../api/object-cases.ts';
import { FakeClock } from '../../support/clock.ts';
import { sendRequest } from '../fakes.ts';

const event: ApiEvent = { kind: 'transition', value: transitionSchema.parse(exampleOf(transitionSchema)) };

function setUp() {
  const clock = new FakeClock();
  const recent = new RecentEvents(clock);
  const handler = createHandler([recent.route()], () => '');
  const next = async (query = '') => {
    const { status, body } = await sendRequest(handler, `/api/v1/events/next${query}`);
    return { status, body: JSON.parse(body) };
  };
  return { clock, recent, next, handler };
}

it('events are returned from the first request on, those of a moment together', async () => {
  const { clock, recent, next } = setUp();
  recent.add(event);
  expect((await next()).body).toEqual({ last: 1, events: [] });
  const answer = next('?after=1');
  await clock.advance(5000);
  recent.add(event);
  await clock.advance(100);
  recent.add(event);
  await clock.advance(150);
  expect((await answer).body).toEqual({ last: 3, events: [event, event] });
  expect((await next('?after=2')).body).toEqual({ last: 3, events: [event] });
  expect((await next('?after=-1')).status).toBe(400);
});

it('a request without an event is answered after ten seconds, and events are not stored without requests', async () => {
  const { clock, recent, next } = setUp();
  await next();
  const answer = next('?after=0');
  await clock.advance(10_000);
  expect((await answer).body).toEqual({ last: 0, events: [] });
  await clock.advance(41_000);
  recent.add(event);
  expect((await next('?after=0')).body).toEqual({ last: 1, events: [] });
});

it('the stream of a subscriber has the events of the other replica, which is requested only with a subscriber', async () => {
  const { clock, recent, handler } = setUp();
  const broker = new EventBroker(clock);
  const wire = { problem: '' };
  const requested: string[] = [];
  const forgotten: string[] = [];
  followEvents({
    clock,
    broker,
    replicas: { forgetAnswers: (id) => void forgotten.push(id) },
    peers: {
      live: () => [{ id: 'b', name: 'b', url: 'http://b' }],
      request: async (_, { path }) => {
        requested.push(path);
        if (wire.problem !== '') return err(wire.problem);
        const { status, body } = await sendRequest(handler, path);
        return ok({ status, body });
      },
    },
  });
  await clock.advance(5000);
  expect(requested).toEqual([]);
  const left = new AbortController();
  const stream = broker.subscribe('client', left.signal) ?? expect.fail();
  const texts: string[] = [];
  const reading = (async () => {
    for await (const chunk of stream) texts.push(new TextDecoder().decode(chunk));
  })();
  await clock.advance(1000);
  recent.add(event);
  await clock.advance(500);
  expect(texts.join('')).toContain('event: transition');
  expect(forgotten).toEqual(['b']);

  wire.problem = 'away';
  await clock.advance(15_000);
  wire.problem = '';
  await clock.advance(3000);
  recent.add(event);
  await clock.advance(500);
  expect(texts.join('').split('event: transition')).toHaveLength(3);

  left.abort();
  await reading;
  await clock.advance(15_000);
  const requests = requested.length;
  await clock.advance(60_000);
  expect(requested).toHaveLength(requests);
});
