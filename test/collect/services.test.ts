import { describe, expect, it } from 'vitest';
import { services } from '../../src/collect/services.ts';
import { ok } from '../../src/kernel/result.ts';
import { type ServiceState, serviceStatusCodes } from '../../src/model/service.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

const gpe: ServiceState = {
  service: 'GPE',
  partition: '1',
  replica: '2',
  status: 'Online',
  process: 'Running',
  eventId: '7f0c',
  timestampNs: '1790000000119463773',
};
const labels = 'service_name="GPE",partition="1",replica="2"';
const states = ['StatusUnknown', 'Online', 'Warmup', 'Readonly', 'Starting', 'Paused', 'Stopping', 'Offline', 'Down'];

async function show(...instances: readonly ServiceState[]): Promise<readonly string[]> {
  return (await pollOnce(services, { serviceStatus: ok(instances) })).lines;
}

function statusLine(status: string): string {
  return `graphdb_service_status{${labels},status="${status}"} 1`;
}

describe('services', () => {
  it.each(states)('shows %s in one series, whose label is the status', async (status) => {
    const lines = await show({ ...gpe, status });
    expect(lines.filter((line) => line.startsWith('graphdb_service_status{'))).toEqual([statusLine(status)]);
  });

  it.each(Object.entries(serviceStatusCodes))('exposes the code of %s: %i', async (status, code) => {
    expect(await show({ ...gpe, status })).toContain(`graphdb_service_status_code{${labels}} ${code}`);
  });

  it.each(['Hibernating', 'online', '', '__proto__', 'constructor'])(
    'exposes the code -1 for the unknown status %j',
    async (status) => {
      const lines = await show({ ...gpe, status });
      expect(lines).toContain(`graphdb_service_status_code{${labels}} -1`);
      expect(lines.filter((line) => line.startsWith('graphdb_service_status{'))).toEqual([statusLine('unrecognised')]);
    },
  );

  it('exposes no status for StatusUnchanged, which does not name one', async () => {
    expect(await show({ ...gpe, status: 'StatusUnchanged' })).toEqual([
      `graphdb_service_status_code{${labels}} 0`,
      `graphdb_service_process_running{${labels}} 1`,
    ]);
  });

  it.each([
    ['Running', [`graphdb_service_process_running{${labels}} 1`]],
    ['Stopped', [`graphdb_service_process_running{${labels}} 0`]],
    ['Zombie', [`graphdb_service_process_running{${labels}} 0`]],
    ['', []],
  ])('shows the process state %j', async (process, expected) => {
    const lines = await show({ ...gpe, process });
    expect(lines.filter((line) => line.startsWith('graphdb_service_process_running'))).toEqual(expected);
  });

  it('has empty labels for a service without partition or replica', async () => {
    const lines = await show({ ...gpe, service: 'KAFKASTRM-LL', replica: '' });
    expect(lines[0]).toBe('graphdb_service_status_code{service_name="KAFKASTRM-LL",partition="1",replica=""} 6');
  });

  it.each([
    ['1790000000119463774', '1790000000119463773'],
    ['1790000000119463773', '1790000000119463774'],
    ['10', '9'],
  ])('uses the newest of several events: %s and %s', async (one, other) => {
    const [newest, older] = BigInt(one) > BigInt(other) ? [one, other] : [other, one];
    const [down, online] = [
      { ...gpe, status: 'Down', timestampNs: newest },
      { ...gpe, timestampNs: older },
    ];
    for (const lines of [await show(down, online), await show(online, down)]) {
      expect(lines.filter((line) => line.startsWith('graphdb_service_status_code'))).toEqual([
        `graphdb_service_status_code{${labels}} 27`,
      ]);
    }
  });

  it('prefers an event with a time to one without', async () => {
    const lines = await show({ ...gpe, timestampNs: 'n/a', status: 'Down' }, gpe);
    expect(lines).toContain(statusLine('Online'));
  });

  it('returns a failure unchanged', async () => {
    const { error, lines } = await pollOnce(services, { serviceStatus: failed('timeout') });
    expect(error?.reason).toBe('timeout');
    expect(lines).toEqual([]);
  });
});
