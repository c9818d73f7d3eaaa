import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { daemonPod, helm, rendering } from './chart.ts';

const probe = z.looseObject({ periodSeconds: z.number(), failureThreshold: z.number().optional() });
const probes = z.looseObject({ livenessProbe: probe.optional(), startupProbe: probe.optional() });

function probesOf(values: Record<string, unknown>) {
  return probes.parse(daemonPod(rendering({ values })).daemon);
}

const exec = { command: ['graphwarden', 'healthcheck'] };

it.skipIf(helm === undefined)('probes request the path of an external URL with a host from the environment', () => {
  const { livenessProbe } = probesOf({ config: { external_url: 'https://${HOST}:8443/warden/' } });
  expect(livenessProbe).toMatchObject({ httpGet: { path: '/warden/-/healthy' } });
});

describe.skipIf(helm === undefined)('the startup probe of the daemon', () => {
  it('allows minutes for the check and the migration of a large state, in which liveness does not count', () => {
    const { startupProbe } = probesOf({});
    expect(startupProbe).toMatchObject({ httpGet: { path: '/-/healthy', port: 'http' } });
    expect((startupProbe?.failureThreshold ?? 0) * (startupProbe?.periodSeconds ?? 0)).toBeGreaterThanOrEqual(15 * 60);
  });

  it('has the handler of the liveness probe, unless it has its own', () => {
    const livenessProbe = { exec };
    expect(probesOf({ livenessProbe }).startupProbe).toMatchObject({ exec, periodSeconds: 3 });
    expect(probesOf({ livenessProbe }).startupProbe).not.toHaveProperty('httpGet');
    const startupProbe = { tcpSocket: { port: 'http' } };
    expect(probesOf({ livenessProbe, startupProbe }).startupProbe).toMatchObject(startupProbe);
    expect(probesOf({ livenessProbe, startupProbe }).startupProbe).not.toHaveProperty('exec');
  });

  it('can be disabled', () => {
    expect(probesOf({ startupProbe: null }).startupProbe).toBeUndefined();
  });
});
