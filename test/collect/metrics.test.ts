import { describe, expect, it } from 'vitest';
import { metrics } from '../../src/collect/metrics.ts';
import { ok } from '../../src/kernel/result.ts';
import { failed } from '../support/fake-graphdb.ts';
import { informantPage, parsedFamily } from '../support/informant-page.ts';
import { pollOnce } from '../support/poll-results.ts';

const status = [[{ service_name: 'GPE', partition: '1', replica: '1' }, '6']] as const;

describe('metrics', () => {
  it.each(['svc_', 'tigergraph_'])(
    'exposes the page of a server with the prefix %s under the names of graphwarden',
    async (prefix) => {
      const page = informantPage(prefix, {
        cpu_usage: [[{ host_id: 'm1', service_name: '' }, '8.5']],
        service_status: status,
      });
      const { error, lines } = await pollOnce(metrics, { informantMetrics: ok(page) });
      expect(error).toBeUndefined();
      expect(lines).toEqual(['graphdb_host_cpu_usage_ratio{host_id="m1"} 0.085']);
    },
  );

  it('counts withheld samples by family and reason, and exposes no negative traffic', async () => {
    const traffic = [[{ host_id: 'm1', direction: 'incoming' }, '-5']] as const;
    const withheld = [{ family: 'svc_a_total', reason: 'negative', samples: 3 }] as const;
    const page = { ...informantPage('svc_', { network_traffic: traffic }), withheld };
    const { lines } = await pollOnce(metrics, { informantMetrics: ok(page) });
    expect(lines).toEqual(['graphdb_informant_withheld_samples{family="svc_a_total",reason="negative"} 3']);
    expect(metrics.rejectedSeries?.({ ...page, rejected: 2 })).toBe(5);
  });

  it('fails without a detected prefix', async () => {
    const page = {
      families: [parsedFamily('up', [[{}, '1']])],
      withheld: [],
      rejected: 0,
      unconfirmed: 0,
      prefix: undefined,
    };
    const { error, lines } = await pollOnce(metrics, { informantMetrics: ok(page) });
    expect(error?.reason).toBe('body');
    expect(error?.message).toMatch(/on m1: .*metric_prefix/);
    expect(lines).toEqual([]);
  });

  it('returns a failure unchanged, without samples', async () => {
    const { error, lines } = await pollOnce(metrics, { informantMetrics: failed('unsupported') });
    expect(error?.reason).toBe('unsupported');
    expect(lines).toEqual([]);
  });
});

/** Which of these families a server with this prefix gets handed on. */
function forwarded(prefix: string | undefined, ...names: readonly string[]) {
  const families = names.map((name) => parsedFamily(name, [[{}, '1']]));
  return metrics
    .passthrough?.({ families, withheld: [], rejected: 0, unconfirmed: 0, prefix })
    .map((family) => family.name);
}

describe('the families passed through', () => {
  it('have the detected prefix', () => {
    expect(forwarded('svc_', 'svc_qps', 'go_goroutines', 'svc_license_days_left', 'svcx', 'service_status')).toEqual([
      'svc_qps',
      'svc_license_days_left',
    ]);
  });

  it.each(['graphdb_', 'graphwarden_', 'process_', 'nodejs_'])('are never own families: %s', (prefix) => {
    expect(forwarded(prefix, `${prefix}up`, `${prefix}service_status`)).toEqual([]);
    expect(forwarded('', `${prefix}up`, 'service_status')).toEqual(['service_status']);
  });

  it('are empty while the prefix is unknown', () => {
    expect(forwarded(undefined, 'svc_qps')).toEqual([]);
  });

  it('remain the same objects, so that rendered fragments can be reused', () => {
    const page = informantPage('svc_', { service_status: status });
    expect(metrics.passthrough?.(page)[0]).toBe(page.families[0]);
  });
});
