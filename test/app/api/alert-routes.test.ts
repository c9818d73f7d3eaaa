import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../../src/alert/alert-view.ts';
import type { Silence } from '../../../src/alert/alerting.ts';
import { rules } from '../../../src/alert/rules/all.ts';
import { type AlertRouteDependencies, alertRoutes } from '../../../src/app/api/alert-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { OperatorAction } from '../../../src/guard/storage/operator-action-rows.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { recordingLogger } from '../../support/logger.ts';
import { fixedRandom, sendRequest } from '../fakes.ts';

const wall = Date.parse('2026-01-31T12:00:00Z');

function view(rule: string, more: Partial<AlertView> = {}): AlertView {
  return {
    key: rule,
    episode: 1,
    rule,
    severity: 'warning',
    phase: 'firing',
    labels: { cluster_name: 'prod' },
    annotations: {},
    startsAt: wall,
    ...more,
  };
}

const views = [
  view('disk_filling'),
  view('node_unreachable', { severity: 'critical', labels: { cluster_name: 'test' } }),
  view('service_readonly', { phase: 'pending' }),
  view('watchdog', { severity: 'info', labels: {} }),
];

const good = { matchers: ['node="m1"'], author: 'alice', reason: 'new disks', duration: '2h' };

function setUp(more: Partial<AlertRouteDependencies> = {}) {
  const silences: Silence[] = [];
  const acts: OperatorAction[] = [];
  const log = recordingLogger();
  const dependencies: AlertRouteDependencies = {
    log,
    random: fixedRandom(0),
    config: () => ({ operators: ['alice'], clusters: [], alerts: { rules: {} } }),
    rules,
    alerts: () => views,
    deliveries: () => [],
    silences: () => silences,
    silence: async (silence, act) => {
      silences.push(silence);
      acts.push(act);
      return ok(undefined);
    },
    unsilence: async (id, act) => {
      acts.push(act);
      const at = silences.findIndex((silence) => silence.id === id);
      silences.splice(at, at < 0 ? 0 : 1);
      return ok(at >= 0);
    },
    now: () => ({ wall, mono: 0 }),
    ...more,
  };
  const handler = createHandler(alertRoutes(dependencies), () => '');
  const call = async (target: string, request: Partial<IncomingRequest> = {}) => {
    const { status, body } = await sendRequest(handler, target, request);
    return { status, answer: JSON.parse(body) };
  };
  const post = (body: unknown, request: Partial<IncomingRequest> = {}) => {
    const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
    return call('/api/v1/silences', { method: 'POST', text, ...request });
  };
  const end = (id: string, request: Partial<IncomingRequest> = {}) =>
    call(`/api/v1/silences/${id}`, { method: 'DELETE', ...request });
  return { call, post, end, silences, log, acts };
}

const others: readonly Partial<IncomingRequest>[] = [
  { user: 'scraper' },
  { remoteAddress: '10.0.0.9' },
  { headers: { 'sec-fetch-site': 'cross-site' } },
];

describe('GET /api/v1/alerts', () => {
  async function listed(query: string): Promise<readonly string[]> {
    const { answer } = await setUp().call(`/api/v1/alerts${query}`);
    return answer.items.map(({ rule }: { rule: string }) => rule);
  }

  it.each([
    ['', ['node_unreachable', 'disk_filling', 'watchdog', 'service_readonly']],
    ['?cluster=prod', ['disk_filling', 'service_readonly']],
    ['?cluster=', ['watchdog']],
    ['?severity=critical', ['node_unreachable']],
    ['?phase=pending', ['service_readonly']],
    ['?rule=disk_filling', ['disk_filling']],
    ['?rule=disk_filling&cluster=test', []],
    ['?limit=1&offset=1', ['disk_filling']],
  ])('%s gives %j', async (query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  it('rejects an unknown severity with the valid ones', async () => {
    const { answer } = await setUp().call('/api/v1/alerts?severity=crit');
    expect(answer.detail).toBe("Parameter 'severity' must be one of critical, warning, info, not 'crit'.");
  });

  it.each(['?limit=0', '?node=m1', '?rule=disk', '?phase=open'])('rejects %s', async (query) => {
    expect((await setUp().call(`/api/v1/alerts${query}`)).status).toBe(400);
  });
});

describe('POST /api/v1/silences', () => {
  const made = {
    id: '2222222222',
    matchers: ['node="m1"'],
    startsAt: '2026-01-31T12:00:00.000Z',
    endsAt: '2026-01-31T14:00:00.000Z',
    author: 'alice',
    reason: 'new disks',
  };

  it('creates a silence and logs the operator', async () => {
    const { post, call, log } = setUp();
    expect(await post(good, { user: 'alice' })).toEqual({
      status: 200,
      answer: { ...made, matchedAlerts: 0, alerts: [], warnings: [] },
    });
    expect((await call('/api/v1/silences')).answer).toEqual({ items: [made], total: 1, limit: 100, offset: 0 });
    expect(JSON.stringify(log.lines)).toContain('"by":"alice"');
  });

  it.each([
    [['node=~"m1|m2"', 'graph="x"'], '', 'node=~"m1|m2", graph="x"'],
    [['cluster_name="prod"'], 'prod', 'cluster_name="prod"'],
    [['cluster_name=~"prod|test"'], '', 'cluster_name=~"prod|test"'],
  ])('with the matchers %j is an operator action in the audit log', async (matchers, cluster, said) => {
    const { post, acts } = setUp();
    await post({ ...good, matchers }, { user: 'alice' });
    const subject = `2222222222 until 2026-01-31T14:00:00.000Z: ${said}`;
    expect(acts).toEqual([{ at: wall, what: 'silence', by: 'alice', cluster, subject, reason: 'new disks' }]);
  });

  it.each(others)('rejects %j', async (stranger) => {
    const { post, silences } = setUp();
    expect((await post(good, stranger)).status).toBe(403);
    expect(silences).toEqual([]);
  });

  it.each([
    ['', 'the body must be a JSON object'],
    ['{', 'the body must be a JSON object'],
    [{ ...good, duration: undefined }, 'the end is missing'],
    [{ ...good, author: undefined }, 'author is missing'],
    [{ ...good, matchers: [] }, 'matchers must require'],
    [{ ...good, matchers: 'node="m1"' }, 'matchers must be a list of matchers'],
    [{ ...good, matchers: ['node'] }, 'matchers.0 is not a matcher'],
    [{ ...good, matchers: ['node="m1"', 'node="'] }, 'matchers.1 has a value with invalid quotes'],
    [{ ...good, matchers: ['severty="critical"'] }, 'matchers.0 unknown label `severty` (did you mean `severity`?).'],
    [
      { ...good, matchers: ['node="m1"', 'clustername="prod"'] },
      'matchers.1 unknown label `clustername` (did you mean `cluster_name`?)',
    ],
    [{ ...good, matchers: ['severity="crit"'] }, 'matchers.0 is not a severity; use critical, warning, info'],
    [{ ...good, matchers: ['node=~"(m1|m2)"'] }, 'matchers.0 has a regular expression'],
    [{ ...good, matchers: ['node=~".*"'] }, 'matchers must require a value of at least one label'],
    [{ ...good, duration: 'long' }, 'duration is not a duration'],
    [{ ...good, endsAt: '2026-01-31T14:00:00Z' }, 'endsAt and duration are mutually exclusive; set one of them'],
    [{ ...good, matcher: ['node="m1"'] }, 'only matchers, author'],
  ])('rejects %j', async (body, said) => {
    const { post, silences } = setUp();
    const { status, answer } = await post(body);
    expect(status).toBe(400);
    expect(answer.detail).toContain(said);
    expect(silences).toEqual([]);
  });

  it('rejects a silence beyond the limit', async () => {
    const one: Silence = { id: 'a', matchers: [], startsAt: 0, endsAt: 1, author: 'a', reason: 'b' };
    const { post } = setUp({ silences: () => Array.from({ length: 1000 }, () => one) });
    expect(await post(good)).toMatchObject({ status: 400, answer: { detail: expect.stringContaining('1000') } });
  });

  it('reports that the silence is not stored', async () => {
    const { post } = setUp({ silence: async () => err('the disk is full') });
    const { status, answer } = await post(good);
    expect(status).toBe(503);
    expect(answer.detail).toBe('Silence 2222222222 is active, but is lost at the next restart: the disk is full');
  });
});

describe('current matches of a silence', () => {
  const many = Array.from({ length: 12 }, (_, at) => view('disk_filling', { key: `k${at}` }));

  it('is returned with the silence: the number, the most severe, without resolved alerts and the heartbeat', async () => {
    const alerts = [...many, view('disk_filling', { phase: 'resolved' }), ...views];
    const { post } = setUp({ alerts: () => alerts });
    const { answer } = await post({ ...good, matchers: ['cluster_name=~"prod|test"'] });
    expect(answer).toMatchObject({ id: '2222222222', matchedAlerts: 15, alerts: { length: 10 } });
    expect(answer.alerts[0]).toMatchObject({ rule: 'node_unreachable', severity: 'critical' });
  });

  it('has warnings that name the matcher', async () => {
    const { post } = setUp();
    const { answer } = await post({
      ...good,
      matchers: ['node="m1"', 'cluster_name="prod"', 'alertname="GraphdbDiskFiling"'],
    });
    expect(answer.warnings).toEqual([
      'matchers.1 matches no configured cluster',
      "matchers.2 matches no alert rule; did you mean 'GraphdbDiskFilling'?",
    ]);
  });

  it('may name a label that only a current alert has', async () => {
    const { post } = setUp({ alerts: () => [view('disk_filling', { labels: { rack: 'r7' } })] });
    expect(await post({ ...good, matchers: ['rack="r7"'] })).toMatchObject({
      status: 200,
      answer: { matchedAlerts: 1 },
    });
  });

  it('is returned without a silence by the preview', async () => {
    const { call, silences, acts } = setUp();
    const text = async () => JSON.stringify({ ...good, matchers: ['cluster_name="prod"'] });
    const { status, answer } = await call('/api/v1/silences/preview', { method: 'POST', text });
    expect([status, answer.matchedAlerts]).toEqual([200, 2]);
    expect(answer.alerts.map(({ rule }: { rule: string }) => rule)).toEqual(['disk_filling', 'service_readonly']);
    expect([silences, acts]).toEqual([[], []]);
  });

  it('is not previewed for an invalid silence, nor for others than operators', async () => {
    const { call } = setUp();
    const request = { method: 'POST', text: async () => '{}' } as const;
    expect((await call('/api/v1/silences/preview', request)).status).toBe(400);
    expect((await call('/api/v1/silences/preview', { ...request, user: 'scraper' })).status).toBe(403);
  });
});

describe('DELETE /api/v1/silences/{id}', () => {
  it('ends a silence and logs the operator', async () => {
    const { post, end, silences, log, acts } = setUp();
    const { answer } = await post(good);
    expect(await end(answer.id, { operator: 'local' })).toEqual({ status: 200, answer: { ended: true } });
    expect(silences).toEqual([]);
    expect(JSON.stringify(log.lines.at(-1))).toContain('"by":"local"');
    const act = { at: wall, what: 'unsilence', by: 'local', cluster: '', subject: '2222222222', reason: '' };
    expect(acts.at(-1)).toEqual(act);
  });

  it.each(others)('rejects %j', async (stranger) => {
    const { post, end, silences } = setUp();
    await post(good);
    expect((await end('2222222222', stranger)).status).toBe(403);
    expect(silences).toHaveLength(1);
  });

  it('returns 404 for an unknown one', async () => {
    const { end, log } = setUp();
    expect((await end('nothing')).status).toBe(404);
    expect(log.lines).toEqual([]);
  });

  it('reports that the end is not stored', async () => {
    const { end } = setUp({ unsilence: async () => err('the disk is full') });
    expect(await end('a1')).toMatchObject({
      status: 503,
      answer: { detail: expect.stringContaining('returns at the next restart') },
    });
  });
});
