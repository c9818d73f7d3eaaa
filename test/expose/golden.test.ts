import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Format, MetricsPage } from '../../src/expose/metrics-page.ts';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { sample } from '../../src/metric/metric.ts';
import { FakeClock } from '../support/clock.ts';
import { readExposition } from '../support/exposition.ts';
import { findTool } from '../support/tools.ts';
import { connections, emptyPage, latency, textOf, traffic, up } from './metrics-pages.ts';

const promtool = findTool('promtool');

const upstream = `# HELP svc_cpu_usage Percentage of CPU usage
# TYPE svc_cpu_usage gauge
svc_cpu_usage{host_id="m1",service_name=""} 8.592771
svc_cpu_usage{host_id="m1",service_name="GPE"} 3.1174
# TYPE svc_network_traffic gauge
svc_network_traffic{direction="incoming",host_id="m1"} 2.2802625793e+10 1790000000000
# TYPE svc_requests counter
svc_requests{endpoint="/query/\\"x\\""} 5
# TYPE svc_requests_total counter
svc_requests_total 6
# TYPE svc_errors_total counter
svc_errors_total{cluster_name="theirs"} 0
# TYPE svc_wait_seconds histogram
svc_wait_seconds_bucket{le="1"} 1
svc_wait_seconds_bucket{le="+Inf"} 2
svc_wait_seconds_sum 3.5
svc_wait_seconds_count 2
svc_plain NaN
`;

/** A page with something of everything. */
async function fullPage(passthrough: boolean): Promise<MetricsPage> {
  const page = emptyPage({ labelValueBytes: 32 });
  const parsedPage = await createTextParser(new FakeClock()).parse(Buffer.from(upstream));
  if (!parsedPage.ok) expect.fail(parsedPage.error);
  const base = { cluster_name: 'prod', env: 'test' };
  await page.put('prod/metrics', {
    labels: base,
    samples: [
      sample(connections, { host_id: 'm1' }, 211),
      sample(traffic, { host_id: 'm1', direction: 'in' }, 22802625793),
      sample(traffic, { host_id: 'hostile "\\\n\u0001', direction: 'out' }, 0.5),
    ],
    ...(passthrough ? { passthrough: parsedPage.value.families } : {}),
  });
  for (const node of ['m1', 'm2']) {
    await page.put(`prod/health/${node}`, {
      labels: { ...base, node },
      samples: [sample(up, {}, node === 'm1' ? 1 : 0)],
    });
  }
  const path = '/query/social/a_query_with_a_very_long_name';
  await page.put('prod/statistics/m1', {
    labels: { ...base, node: 'm1' },
    samples: ['0.5', '0.9', '0.99'].map((quantile, at) => sample(latency, { path, quantile }, 0.001 * (at + 1))),
  });
  return page;
}

describe('the whole page', () => {
  it.each<[Format, string]>([
    ['text', '../golden/page.txt'],
    ['openmetrics', '../golden/page.openmetrics'],
  ])('in %s equals the golden file', async (format, file) => {
    const text = await textOf(await fullPage(true), format, '# TYPE graphwarden_tail gauge\ngraphwarden_tail 1\n');
    await expect(text).toMatchFileSnapshot(file);
    readExposition(text, format);
  });

  it.skipIf(promtool === undefined)('has no promtool findings for own names', async () => {
    const input = await textOf(await fullPage(false));
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input, encoding: 'utf8' });
    expect(stdout + stderr).toBe('');
    expect(status).toBe(0);
  });

  it.skipIf(promtool === undefined)('is parsed by promtool with the names of the server', async () => {
    const input = await textOf(await fullPage(true));
    const { status, stderr } = spawnSync(promtool ?? '', ['check', 'metrics'], { input, encoding: 'utf8' });
    expect(stderr).not.toContain('error while linting');
    // 3: parsed, with remarks about names that are not ours to choose.
    expect([0, 3]).toContain(status);
  });
});
