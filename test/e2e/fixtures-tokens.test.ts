import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../support/clock.ts';
import { idleRoutes } from '../support/idle-server.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';
import { startStaticServer } from '../support/static-server.ts';

const folder = join(import.meta.dirname, '../fixtures');
const now = Date.UTC(2024, 6, 1);
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3YXJkZW4ifQ.c2lnbmF0dXJl';
const plain = '0123456789abcdef0123456789abcdef';

interface Exchange {
  readonly release: '3.9' | '4.1';
  readonly request: string;
  /** What the data plane is then shown. */
  readonly authorization: string | undefined;
  readonly expires: number | undefined;
}

const older = { release: '3.9', request: 'POST /requesttoken' } as const;
const exchanges: Readonly<Record<string, Exchange>> = {
  '4.1/tokens.json': {
    release: '4.1',
    request: 'POST /gsql/v1/tokens',
    authorization: `Bearer ${jwt}`,
    expires: Date.UTC(2024, 6, 10, 6, 12, 47) / 1000,
  },
  '3.9/request-token.json': { ...older, authorization: `Bearer ${plain}`, expires: 1_790_000_000 },
  '3.9/request-token-in-results.json': { ...older, authorization: `Bearer ${plain}`, expires: 1_790_000_000 },
  '3.9/request-token-off.json': { ...older, authorization: undefined, expires: undefined },
};

describe('a daemon with each recorded reply of the token endpoint', () => {
  it.each(Object.entries(exchanges))('%s', async (file, { release, request, authorization, expires }) => {
    const reply = { status: authorization === undefined ? 404 : 200, body: readFileSync(join(folder, file)) };
    const server = await startStaticServer({ ...idleRoutes(release), [request]: reply });
    const cluster = { name: 'c', nodes: [{ name: 'm1', url: server.url }], server_version: release };
    const clock = new FakeClock(now);
    const daemon = await startInProcessDaemon(
      { clusters: [{ ...cluster, read_auth: { secret: 's' } }] },
      { clock, random: { next: () => 0 } },
    );
    // What the daemon knows of its own ways to a cluster comes on the page every second.
    await clock.advance(1000);
    const page = await daemon.page();
    await daemon.stop();
    expect(page.value('graphwarden_token_expiration_timestamp_seconds', { cluster_name: 'c', node: 'm1' })).toBe(
      expires,
    );
    const listRequests = server.seen.filter(({ url }) => url.endsWith('/showprocesslistall'));
    expect(listRequests.map(({ headers }) => headers.authorization)).toEqual([authorization]);
    expect(page.value('graphwarden_collector_success', { collector: 'queries' })).toBe(1);
  });

  it('are all in the table', () => {
    const recorded = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const tokens = recorded.filter((file) => /^\d.*token.*\.json$/.test(file));
    expect(Object.keys(exchanges).toSorted()).toEqual(tokens.toSorted());
  });
});
