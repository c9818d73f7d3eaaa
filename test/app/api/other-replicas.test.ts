import { expect, it } from 'vitest';
import { nodeSchema } from '../../../src/api/clusters.ts';
import { OtherReplicas } from '../../../src/app/api/other-replicas.ts';
import { soleOwnership } from '../../../src/kernel/ownership.ts';
import type { PeerReply } from '../../../src/kernel/peers.ts';
import { err, ok, type Result } from '../../../src/kernel/result.ts';
import { FakeClock } from '../../support/clock.ts';

const about = { version: '1', configHash: 'h', settingsHash: 's', startedAt: 0, seenAt: 0, isLive: true, clusters: 1 };
const view = {
  ...soleOwnership.view(),
  replicas: ['a', 'b'].map((id) => ({ ...about, id, name: 'host', url: `http://${id}`, isSelf: id === 'a' })),
  owners: [{ cluster: 'prod', owner: 'b', epoch: 1, since: 0 }],
};

function setUp(answer: () => Result<PeerReply, string>, live = ['b']) {
  const clock = new FakeClock();
  const sent: string[] = [];
  const replicas = new OtherReplicas({
    clock,
    ownership: { isShared: true, view: () => view },
    peers: {
      live: () => live.map((id) => ({ id, name: 'host', url: `http://${id}` })),
      request: async (_, { path }) => {
        sent.push(path);
        return answer();
      },
    },
    clusters: () => ['prod'],
    isFollowed: () => false,
  });
  const reasons = async (path = '/nodes') =>
    (await replicas.gather({ path, item: nodeSchema })).missing.map(({ reason }) => reason);
  return { clock, sent, replicas, reasons };
}

const answered = (status: number, body: unknown) => () => ok({ status, body: JSON.stringify(body) });

it('an invalid reply of another replica counts as no reply', async () => {
  const version =
    'the response of the replica host (http://b) is invalid; check that all replicas run the same version';
  expect(await setUp(answered(200, { clusters: ['prod'], items: [{ other: 1 }] })).reasons()).toEqual([version]);
  expect(await setUp(() => ok({ status: 200, body: 'no JSON' })).reasons()).toEqual([version]);
  expect(await setUp(answered(429, {})).reasons()).toEqual([
    'the replica that owns these clusters responds with status 429',
  ]);
  expect(await setUp(answered(200, { clusters: ['prod'], items: [] })).reasons()).toEqual([]);
});

it('replicas with the same name are named with their addresses', () => {
  expect(setUp(answered(200, {})).replicas.ownName()).toBe('host (http://a)');
});

it('no request is sent to a replica with expired leases, or for a while to one that failed', async () => {
  const gone = setUp(answered(200, {}), []);
  expect(await gone.reasons()).toEqual(['the replica host (http://b) does not renew its leases']);
  expect(gone.sent).toEqual([]);
  const { clock, sent, reasons } = setUp(() => err('it did not answer'));
  expect([...(await reasons()), ...(await reasons('/other'))]).toEqual(['it did not answer', 'it did not answer']);
  expect(sent).toEqual(['/nodes']);
  await clock.advance(2000);
  await reasons();
  expect(sent).toEqual(['/nodes', '/nodes']);
});

it('the number of kept answers is limited', async () => {
  const { reasons, sent } = setUp(answered(200, { clusters: ['prod'], items: [] }));
  for (let at = 0; at < 256; at += 1) expect(await reasons(`/nodes?${at}`)).toEqual([]);
  expect(await reasons('/one-more')).toEqual(['too many requests to other replicas are in progress']);
  expect(sent).toHaveLength(256);
});
