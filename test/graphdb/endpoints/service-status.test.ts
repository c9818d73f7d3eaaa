import { describe, expect, it } from 'vitest';
import { fetchServiceStatus } from '../../../src/graphdb/endpoints/service-status.ts';
import { serviceNames } from '../../../src/model/service.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const request = 'POST /informant/current-service-status';

async function statesOf(...events: unknown[]): Promise<unknown> {
  const pool = new FakePool([request, answer({ ServiceStatusEvents: events })]);
  return factsOf(await fetchServiceStatus(callerOver(pool), neverAborted()));
}

const nothing = { partition: '', replica: '', status: 'StatusUnchanged', process: '', eventId: '', timestampNs: '' };

describe('service status', () => {
  it('is requested for every known service', async () => {
    const pool = new FakePool([request, answer({})]);
    await fetchServiceStatus(callerOver(pool), neverAborted());
    expect(JSON.parse(pool.requests[0]?.body ?? '')).toEqual({
      ServiceDescriptors: serviceNames.map((ServiceName) => ({ ServiceName })),
    });
  });

  it('reads fields that the server omits as zero', async () => {
    expect(await statesOf({ ServiceDescriptor: { ServiceName: 'GPE' } })).toEqual([{ service: 'GPE', ...nothing }]);
    const zero = { ServiceDescriptor: { ServiceName: 'GPE', Partition: 0, Replica: '0' }, EventMeta: null };
    expect(await statesOf(zero)).toEqual([{ service: 'GPE', ...nothing }]);
  });

  it('keeps unknown service status, and all digits of an instant', async () => {
    const event = {
      EventMeta: { EventId: 'e', TimestampNS: '1790000000419463773' },
      ServiceDescriptor: { ServiceName: 'GSE', Partition: 1, Replica: 2 },
      ServiceStatus: 'Rebooting',
      ProcessState: 'Zombie',
    };
    expect(await statesOf(event)).toEqual([
      {
        service: 'GSE',
        partition: '1',
        replica: '2',
        status: 'Rebooting',
        process: 'Zombie',
        eventId: 'e',
        timestampNs: '1790000000419463773',
      },
    ]);
  });

  it.each([
    ['a time of another form', { EventMeta: { EventId: 'e', TimestampNS: '2026-09-22T10:00Z' } }, { eventId: 'e' }],
    ['no object of event data', { EventMeta: 'none' }, {}],
    ['an unreadable status', { ServiceStatus: { name: 'Online' } }, {}],
    ['an unreadable process state', { ServiceStatus: 'Online', ProcessState: true }, { status: 'Online' }],
  ])('keeps an instance with %s: without its event it would seem to be absent', async (_, event, expected) => {
    const others = [{ ServiceDescriptor: { ServiceName: 'GSE' } }];
    const odd = { ServiceDescriptor: { ServiceName: 'GPE' }, ...event };
    expect(await statesOf(...others, odd)).toEqual([
      { service: 'GSE', ...nothing },
      { service: 'GPE', ...nothing, ...expected },
    ]);
  });

  it('drops events without a service', async () => {
    const odd = [{}, { ServiceDescriptor: {} }, { ServiceDescriptor: { ServiceName: '' } }, null, 7];
    expect(await statesOf(...odd, { ServiceDescriptor: { ServiceName: 'GSE' } })).toEqual([
      { service: 'GSE', ...nothing },
    ]);
  });

  it('fails with the reason body if no event has a service: all services would seem to be absent', async () => {
    const renamed = { serviceDescriptor: { serviceName: 'GSE' }, ServiceStatus: 'Online' };
    const pool = new FakePool([request, answer({ ServiceStatusEvents: [renamed, renamed] })]);
    expect(failureOf(await fetchServiceStatus(callerOver(pool), neverAborted()))).toEqual({
      reason: 'body',
      message: `${request} on m1: 2 of 2 entries are invalid`,
    });
  });

  it.each([{}, { ServiceStatusEvents: [] }, { ServiceStatusEvents: null }])(
    'fails with the reason body for %j: an informant that has just started has no events, and no service is absent',
    async (reply) => {
      const pool = new FakePool([request, answer(reply)]);
      expect(failureOf(await fetchServiceStatus(callerOver(pool), neverAborted()))).toEqual({
        reason: 'body',
        message: `${request} on m1: the response contains no service`,
      });
    },
  );

  it('fails with the reason body for another reply', async () => {
    const pool = new FakePool([request, answer({ NetworkMetrics: [] })]);
    expect(failureOf(await fetchServiceStatus(callerOver(pool), neverAborted())).reason).toBe('body');
  });
});
