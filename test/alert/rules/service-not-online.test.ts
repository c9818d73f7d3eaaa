import { describe, expect, it } from 'vitest';
import { serviceNotOnline } from '../../../src/alert/rules/service-not-online.ts';
import { findings, minute, replica, situationWith, wall } from './rule-fixtures.ts';

function of(confirmed: string, changed = {}) {
  return findings(serviceNotOnline, situationWith({}, { replicas: [replica({ confirmed })] }), changed);
}

describe('service_not_online', () => {
  it.each(['Down', 'Offline', 'StatusUnknown', 'absent', 'Hibernating'])('fires for %s', (hard) => {
    expect(of(hard)).toMatchObject([
      { labels: { service_name: 'GPE', partition: '1', replica: '2' }, facts: { status: hard } },
    ]);
    expect(of(hard)[0]).not.toHaveProperty('hold');
  });

  it.each(['Online', 'Readonly', 'StatusUnchanged', 'unobserved'])('does not fire for %s', (hard) => {
    expect(of(hard)).toEqual([]);
  });

  it.each(['Warmup', 'Starting', 'Stopping', 'Paused'])('fires later for %s', (hard) => {
    expect(of(hard)).toMatchObject([{ for: 10 * minute }]);
    expect(of(hard, { transition_timeout: 30 })).toMatchObject([{ for: 30_000 }]);
  });

  it.each([
    ['Down', 'Down', true],
    ['Down', 'Offline', true],
    ['Down', 'Online', false],
    ['Down', 'unobserved', false],
    ['Online', 'unobserved', false],
    ['Online', 'Down', true],
    ['Online', 'Online', true],
  ])('has fresh facts of %s, observed as %s: %s', (confirmed, observed, expected) => {
    const situation = situationWith({}, { replicas: [replica({ confirmed, observed })] });
    const identity = { service_name: 'GPE', partition: '1', replica: '2' };
    expect(serviceNotOnline.knows?.(situation, identity)).toBe(expected);
    expect(serviceNotOnline.knows?.(situation, { ...identity, replica: '9' })).toBe(true);
  });

  it('uses the confirmed status and its start', () => {
    const seen = replica({ observed: 'Down', confirmed: 'Online' });
    expect(findings(serviceNotOnline, situationWith({}, { replicas: [seen] }))).toEqual([]);
    const gone = replica({ observed: 'Online', confirmed: 'Down', confirmedSince: wall - 90 * minute, process: '' });
    expect(findings(serviceNotOnline, situationWith({}, { replicas: [gone] }))).toMatchObject([
      { since: wall - 90 * minute, facts: { instance: 'GPE_1#2', lasting: '1h 30m', process: 'unknown' } },
    ]);
  });
});
