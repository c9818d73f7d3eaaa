import { describe, expect, it } from 'vitest';
import type { AlertView } from '../../../src/alert/alert-view.ts';
import type { Acknowledgement } from '../../../src/alert/alerting.ts';
import { type IncidentRouteDependencies, incidentRoutes } from '../../../src/app/api/incident-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import type { OperatorAction } from '../../../src/guard/storage/operator-action-rows.ts';
import type { IncomingRequest } from '../../../src/kernel/listener.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { recordingLogger } from '../../support/logger.ts';
import { sendRequest } from '../fakes.ts';

const wall = Date.parse('2026-01-31T12:00:00Z');
const firing: AlertView = {
  key: 'a1b2c3d4e5f60718',
  episode: 3,
  rule: 'node_unreachable',
  severity: 'critical',
  phase: 'firing',
  labels: { alertname: 'GraphdbNodeUnreachable', cluster_name: 'prod', node: 'm1' },
  annotations: { summary: 'Node m1 of prod is unreachable' },
  startsAt: wall - 60_000,
};
const over: AlertView = { ...firing, key: 'over', phase: 'resolved', endsAt: wall };
const heartbeat: AlertView = { ...firing, key: 'dog', rule: 'watchdog' };
const pending: AlertView = { ...firing, key: 'soon', episode: 0, phase: 'pending' };

function setUp(more: Partial<IncidentRouteDependencies> = {}) {
  let acknowledgement: Acknowledgement | undefined;
  const acts: OperatorAction[] = [];
  const log = recordingLogger();
  const dependencies: IncidentRouteDependencies = {
    log,
    config: () => ({ operators: ['alice'] }),
    deliveries: () => [],
    alerts: () => [acknowledgement === undefined ? firing : { ...firing, acknowledgement }, over, heartbeat, pending],
    acknowledge: async (_, given, act) => {
      acknowledgement = given;
      acts.push(act);
      return ok(undefined);
    },
    now: () => ({ wall, mono: 0 }),
    ...more,
  };
  const handler = createHandler(incidentRoutes(dependencies), () => '');
  const request = (target: string, sent: Partial<IncomingRequest> = {}) =>
    sendRequest(handler, target, { user: 'alice', ...sent });
  const post = async (id: string, action: string, body: unknown = {}, sent: Partial<IncomingRequest> = {}) => {
    const text = async () => (typeof body === 'string' ? body : JSON.stringify(body));
    const reply = await request(`/api/v1/incidents/${id}/${action}`, { method: 'POST', text, ...sent });
    return { status: reply.status, answer: JSON.parse(reply.body) };
  };
  return { request, post, acts, log };
}

const id = 'a1b2c3d4e5f6-3';

describe('POST /api/v1/incidents/{id}/acknowledge', () => {
  it('acknowledges the incident with author and comment, audits and logs it', async () => {
    const { post, acts, log } = setUp();
    const { status, answer } = await post(id, 'acknowledge', { author: 'ada', comment: ' new disk ' });
    const acknowledgement = { author: 'ada', comment: 'new disk', at: '2026-01-31T12:00:00.000Z' };
    expect([status, answer]).toMatchObject([200, { incident: id, phase: 'firing', acknowledgement }]);
    const cluster = 'prod';
    expect(acts).toEqual([{ at: wall, what: 'acknowledge', by: 'alice', cluster, subject: id, reason: 'new disk' }]);
    expect(JSON.stringify(log.lines)).toContain('incident acknowledged');
  });

  it('names the user of the request without an author', async () => {
    const { post } = setUp();
    expect((await post(id, 'acknowledge')).answer.acknowledgement).toMatchObject({ author: 'alice', comment: '' });
  });

  it.each([
    ['an unknown incident', 'nothing-1', 404, "No incident has the ID 'nothing-1'"],
    ['a resolved incident', 'over-3', 409, 'Incident over-3 is resolved.'],
    ['the heartbeat', 'dog-3', 404, 'No incident'],
    ['a pending alert', 'soon-0', 404, 'No incident'],
  ])('rejects %s', async (_, given, status, detail) => {
    const { post, acts } = setUp();
    expect(await post(given, 'acknowledge')).toMatchObject({
      status,
      answer: { detail: expect.stringContaining(detail) },
    });
    expect(await post(given, 'unacknowledge')).toMatchObject({ status });
    expect(acts).toEqual([]);
  });

  it.each([['{'], [{ author: '' }], [{ author: 'a'.repeat(101) }], [{ comment: 'c'.repeat(1001) }], [{ reason: 'x' }]])(
    'rejects the body %j',
    async (body) => {
      const { post, acts } = setUp();
      expect(await post(id, 'acknowledge', body)).toMatchObject({ status: 400 });
      expect(acts).toEqual([]);
    },
  );

  it.each([{ user: 'reader' }, { headers: { 'sec-fetch-site': 'cross-site' } }])('rejects %j', async (stranger) => {
    const { post, acts } = setUp();
    for (const action of ['acknowledge', 'unacknowledge']) {
      expect((await post(id, action, {}, stranger)).status).toBe(403);
    }
    expect(acts).toEqual([]);
  });

  it('reports that the change is not stored', async () => {
    const { post } = setUp({ acknowledge: async () => err('the disk is full') });
    const detail = 'The change is in effect, but it is lost at the next restart: the disk is full';
    expect(await post(id, 'acknowledge')).toMatchObject({ status: 503, answer: { detail } });
  });
});

describe('POST /api/v1/incidents/{id}/unacknowledge', () => {
  it('withdraws the acknowledgement', async () => {
    const { post, acts } = setUp();
    await post(id, 'acknowledge');
    expect(await post(id, 'unacknowledge')).toMatchObject({ status: 200, answer: { acknowledgement: null } });
    expect(acts.map(({ what }) => what)).toEqual(['acknowledge', 'unacknowledge']);
  });

  it('rejects an incident that is not acknowledged', async () => {
    const { post } = setUp();
    const detail = `Incident ${id} is not acknowledged.`;
    expect(await post(id, 'unacknowledge')).toMatchObject({ status: 409, answer: { detail } });
  });
});

describe('GET /api/v1/incidents/{id}', () => {
  it('returns a firing or resolved incident', async () => {
    const { request } = setUp();
    const phases: unknown[] = [];
    for (const given of [id, 'over-3']) {
      phases.push(JSON.parse((await request(`/api/v1/incidents/${given}`)).body).phase);
    }
    expect(phases).toEqual(['firing', 'resolved']);
    expect((await request('/api/v1/incidents/x-1')).status).toBe(404);
  });
});
