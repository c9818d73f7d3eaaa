import { describe, expect, it } from 'vitest';
import { AdmissionControl } from '../../../src/app/api/admission.ts';
import { createHandler, type Route } from '../../../src/app/api/routes.ts';
import type { IncomingRequest, OutgoingReply } from '../../../src/kernel/listener.ts';
import { FakeClock } from '../../support/clock.ts';
import { recordingLogger } from '../../support/logger.ts';

function requestOf(remoteAddress: string, path = '/history', user?: string): IncomingRequest {
  return {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers: {},
    remoteAddress,
    ...(user !== undefined && { user }),
    disconnected: new AbortController().signal,
    text: async () => '',
  };
}

function setUp() {
  const clock = new FakeClock();
  const log = recordingLogger();
  const slow = Promise.withResolvers<void>();
  const admission = new AdmissionControl(clock, log);
  const route: Omit<Route, 'path'> = {
    method: 'GET',
    about: '',
    response: { type: 'text/plain' },
    handle: async ({ remoteAddress }) => {
      if (remoteAddress === 'slow') await slow.promise;
      if (remoteAddress === 'broken') throw new Error('broken');
      return { status: 200 };
    },
  };
  const routes: readonly Route[] = [
    { ...route, path: '/history', admission: 'history' },
    { ...route, path: '/-/healthy' },
  ];
  const handle = createHandler(routes, () => '', { admission });
  const many = (client: string, count: number, user?: string): Promise<readonly OutgoingReply[]> =>
    Promise.all(Array.from({ length: count }, () => handle(requestOf(client, '/history', user))));
  return { clock, log, admission, handle, many, release: () => slow.resolve() };
}

const answered = async (): Promise<OutgoingReply> => ({ status: 200 });
const statuses = (replies: readonly OutgoingReply[]): readonly number[] => replies.map(({ status }) => status);

describe('AdmissionControl', () => {
  it('rejects the requests of a client over its limit, with Retry-After, and not those of others', async () => {
    const { many } = setUp();
    const replies = await many('10.0.0.1', 5);
    expect(statuses(replies)).toEqual([200, 200, 200, 200, 429]);
    expect(replies.at(-1)?.headers?.['retry-after']).toBe('1');
    expect(statuses(await many('10.0.0.2', 1))).toEqual([200]);
    expect(statuses(await many('10.0.0.1', 1, 'alice'))).toEqual([200]);
  });

  it('counts equal probes once, because they share one poll', async () => {
    const { admission } = setUp();
    const probe = (target: string): Promise<OutgoingReply> => {
      const query = new URLSearchParams({ target });
      return admission.answer('probe', { ...requestOf('10.0.0.1', '/probe'), query }, answered);
    };
    expect(statuses(await Promise.all(Array.from({ length: 100 }, () => probe('prod'))))).not.toContain(429);
    const others = await Promise.all(Array.from({ length: 32 }, (_, at) => probe(`prod/m${at}`)));
    expect(statuses(others).filter((status) => status === 429)).toHaveLength(1);
  });

  it('limits the requests of all clients together', async () => {
    const { many } = setUp();
    for (const client of ['a', 'b']) expect(statuses(await many(client, 4))).toEqual([200, 200, 200, 200]);
    expect(statuses(await many('c', 1))).toEqual([429]);
  });

  it('admits a client again when its replies are sent, or failed', async () => {
    const { many, handle } = setUp();
    const replies = await many('a', 4);
    expect(statuses(await many('a', 1))).toEqual([429]);
    replies[0]?.onSent?.();
    expect(statuses(await many('a', 1))).toEqual([200]);
    for (let turn = 0; turn < 10; turn += 1) await expect(handle(requestOf('broken'))).rejects.toThrow('broken');
  });

  it('returns 504 for a read that exceeds its timeout, and counts it as in progress until it ends', async () => {
    const { clock, log, admission, handle, release } = setUp();
    const late = handle(requestOf('slow'));
    await clock.advance(5000);
    expect((await late).status).toBe(504);
    expect([...admission.samples()][1]).toMatchObject({ labels: { reason: 'history_timeout' }, value: 1 });
    const fields = { reason: 'history_timeout', client: 'slow' };
    expect(log.lines).toEqual([{ level: 'warn', message: 'requests rejected', fields }]);
    const others = Array.from({ length: 3 }, () => handle(requestOf('slow')));
    expect((await handle(requestOf('slow'))).status).toBe(429);
    release();
    await Promise.all(others);
    expect((await handle(requestOf('slow'))).status).toBe(200);
  });

  it('never rejects a route without a class', async () => {
    const { many, handle } = setUp();
    await Promise.all(['a', 'b', 'c'].map((client) => many(client, 10)));
    expect((await handle(requestOf('a', '/-/healthy'))).status).toBe(200);
  });

  it('counts rejections, and logs those that begin after a quiet minute', async () => {
    const { clock, log, admission, many } = setUp();
    await many('a', 10);
    await many('a', 1);
    expect([...admission.samples()].map(({ labels, value }) => [labels.reason, value])).toEqual([
      ['history', 7],
      ['history_timeout', 0],
      ['probe', 0],
      ['stream', 0],
      ['stream_behind', 0],
      ['host', 0],
      ['origin', 0],
    ]);
    expect(log.lines).toEqual([
      { level: 'warn', message: 'requests rejected', fields: { reason: 'history', client: 'a' } },
    ]);
    await clock.advance(60_000);
    await many('a', 1);
    expect(log.lines).toHaveLength(2);
  });
});
