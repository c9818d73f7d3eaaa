import { describe, expect, it } from 'vitest';
import type { NotificationReport } from '../../../src/api/notifications.ts';
import { notificationRoute } from '../../../src/app/api/notification-route.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { NotificationRecord } from '../../../src/model/delivery.ts';
import { notificationInsert } from '../../../src/notify/outbox/notification-rows.ts';
import { FailingStore } from '../../support/failing-store.ts';
import { notificationEntry } from '../../support/notifications.ts';
import { sendRequest } from '../fakes.ts';

const wall = Date.UTC(2026, 8, 22, 12);
const hour = 3_600_000;

function entry(hoursAgo: number, more: Partial<NotificationRecord> = {}): NotificationRecord {
  return notificationEntry({ at: wall - hoursAgo * hour, queuedAt: wall - hoursAgo * hour, ...more });
}

const stored = [
  entry(3, { key: '0123456789abcdef' }),
  entry(2, { receiver: 'chat', result: 'deferred', reason: 'status 503' }),
  entry(1, { key: 'other', labels: { alertname: 'GraphdbDiskFilling', cluster_name: 'test' } }),
];
const waiting = [
  entry(0.5, { receiver: 'mail', result: 'pending' }),
  entry(0.1, { receiver: 'chat', result: 'pending' }),
];

const known = { receiver: { values: () => ['oncall', 'chat', 'mail', 'idle'] } };

async function setUp() {
  const store = new FailingStore();
  await store.commit(stored.map(notificationInsert));
  const route = notificationRoute({
    history: store,
    known,
    mayBeIncident: async (id) => id === 'c0ffee123456-1',
    unattempted: () => waiting,
    now: () => ({ wall, mono: 0 }),
  });
  const handler = createHandler([route], () => '');
  const get = async (query = '') => {
    const { status, body } = await sendRequest(handler, `/api/v1/notifications${query}`);
    return { status, ...JSON.parse(body) };
  };
  return { store, get };
}

function inShort({ receiver, result, cluster }: NotificationReport): string {
  return `${receiver} ${result} ${cluster}`;
}

describe('GET /api/v1/notifications', () => {
  it('lists notifications without an attempt, then the newest result first', async () => {
    const { status, items, total } = await (await setUp()).get();
    expect([status, total]).toEqual([200, 5]);
    expect(items.map(inShort)).toEqual([
      'chat pending prod',
      'mail pending prod',
      'oncall accepted test',
      'chat deferred prod',
      'oncall accepted prod',
    ]);
  });

  it.each([
    ['?receiver=chat', ['chat pending prod', 'chat deferred prod']],
    ['?result=pending&receiver=mail', ['mail pending prod']],
    ['?result=deferred', ['chat deferred prod']],
    ['?cluster=test', ['oncall accepted test']],
    ['?alertname=GraphdbDiskFilling', ['oncall accepted test']],
    ['?incident=other-3', ['oncall accepted test']],
    ['?since=20m', ['chat pending prod']],
    ['?until=150m', ['oncall accepted prod']],
    ['?receiver=idle', []],
    ['?incident=c0ffee123456-1', []],
    ['?incident=0123456789ab-3&since=1m', []],
    ['?limit=1&offset=1', ['mail pending prod']],
    ['?limit=2&offset=1', ['mail pending prod', 'oncall accepted test']],
    ['?limit=2&offset=3', ['chat deferred prod', 'oncall accepted prod']],
  ])('%s selects', async (query, expected) => {
    const { status, items } = await (await setUp()).get(query);
    expect([status, items.map(inShort)]).toEqual([200, expected]);
  });

  it('has all pages with the same total', async () => {
    const { get } = await setUp();
    const pages = await Promise.all([0, 2, 4].map((offset) => get(`?limit=2&offset=${offset}`)));
    expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
      [5, 2],
      [5, 2],
      [5, 1],
    ]);
  });

  it.each([
    ['?result=lost', 'must be one of'],
    ['?receivers=chat', 'does not exist'],
    ['?since=soon', 'since must be a duration'],
    ['?limit=0', 'limit must be'],
    ['?receiver=chatt', "There is no receiver 'chatt'. Did you mean 'chat'? Known: chat, idle, mail, oncall."],
    ['?incident=other-4', "'other-4' is not the ID of an incident"],
    [
      '?incident=c0ffee123456-2',
      "No incident has the ID 'c0ffee123456-2', or it is over and its notifications are no longer stored.",
    ],
    ['?receiver=pager', "There is no receiver 'pager'. Known: chat, idle, mail, oncall."],
  ])('%s is a problem', async (query, text) => {
    const { status, detail } = await (await setUp()).get(query);
    expect([status, detail]).toEqual([400, expect.stringContaining(text)]);
  });

  it('is 503 while the store cannot be read', async () => {
    const { store, get } = await setUp();
    store.isFull = true;
    expect(await get()).toMatchObject({ status: 503, detail: 'the disk is full' });
  });
});
