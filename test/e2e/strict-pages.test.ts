import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { metrics } from '../../src/collect/metrics.ts';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { FakeClock } from '../support/clock.ts';
import { findTool } from '../support/tools.ts';

const clients = findTool('python-clients');
const pages = numberOfRuns({ short: 400, campaign: 10_000 });

const buckets = ['0.1', '1', '+Inf'];
const upstream: readonly string[] = [
  '# HELP svc_service_status Status',
  '# TYPE svc_service_status gauge',
  'svc_service_status{replica="1",service_name="GSE"} 6',
  '# TYPE svc_network_traffic gauge',
  'svc_network_traffic{direction="incoming",host_id="m1"} 2.28e+10',
  '# TYPE svc_requests_total counter',
  'svc_requests_total{host_id="m1"} 17',
  'svc_requests_total{host_id="m2"} 4.5',
  '# TYPE svc_errors counter',
  'svc_errors 3',
  '# TYPE svc_wait_seconds histogram',
  ...['m1', 'm2'].flatMap((host) => [
    ...buckets.map((le, at) => `svc_wait_seconds_bucket{host_id="${host}",le="${le}"} ${2 * at}`),
    `svc_wait_seconds_sum{host_id="${host}"} 3.5`,
    `svc_wait_seconds_count{host_id="${host}"} 4`,
  ]),
  '# TYPE svc_latency summary',
  'svc_latency{quantile="0.5"} 0.2',
  'svc_latency{quantile="0.99"} NaN',
  'svc_latency_sum 12.5',
  'svc_latency_count 40',
  'svc_untyped{a="b \\"c\\" \\\\ d"} 1',
];

type Edit = (lines: readonly string[], at: number) => readonly string[];
const replaced =
  (change: (line: string) => string): Edit =>
  (lines, at) =>
    lines.map((line, index) => (index === at ? change(line) : line));
const value = fc.constantFrom('-1', '-0.0', 'NaN', '+Inf', '-Inf', '1.5', '0', '1e300', '7', '-3e-9');
const type = fc.constantFrom(
  'counter',
  'gauge',
  'histogram',
  'summary',
  'untyped',
  'info',
  'stateset',
  'gaugehistogram',
);
const suffix = fc.constantFrom('', '_total', '_count', '_sum', '_bucket', '_created', '_info');
const name = fc.constantFrom('svc_requests', 'svc_latency', 'svc_wait_seconds', 'svc_errors', 'svc_service_status');
const bound = fc.constantFrom('-1', '0.1', '0.10', '1.0', 'inf', 'Inf', '+Inf', 'NaN', '2', '', 'x');
const edit: fc.Arbitrary<Edit> = fc.oneof(
  value.map((one) => replaced((line) => line.replace(/^([^#].*) \S+$/, `$1 ${one}`))),
  type.map((one) => replaced((line) => line.replace(/^(# TYPE \S+) \w+$/, `$1 ${one}`))),
  fc.tuple(name, suffix).map(([one, end]) => replaced((line) => line.replace(/svc_[a-z_]+/, one + end))),
  bound.map((one) => replaced((line) => line.replace(/(le|quantile)="[^"]*"/, `$1="${one}"`))),
  fc.tuple(name, suffix, type).map(
    ([one, end, kind]): Edit =>
      (lines, at) => [...lines.slice(0, at), `# TYPE ${one}${end} ${kind}`, `${one}${end} 1`, ...lines.slice(at)],
  ),
  fc.nat().map(
    (to): Edit =>
      (lines, at) =>
        lines.with(to % lines.length, lines[at] ?? ''),
  ),
  fc.nat().map(
    (to): Edit =>
      (lines, at) => {
        const other = to % lines.length;
        return lines.with(other, lines[at] ?? '').with(at, lines[other] ?? '');
      },
  ),
  fc.constant<Edit>((lines, at) => lines.toSpliced(at, 1)),
  fc
    .tuple(fc.nat(), fc.string({ maxLength: 2 }))
    .map(([index, put]) =>
      replaced(
        (line) =>
          line.slice(0, index % (line.length + 1)) +
          put.replaceAll('\n', '') +
          line.slice((index % (line.length + 1)) + 1),
      ),
    ),
);
const mutatedPage = fc
  .array(fc.tuple(edit, fc.nat()), { minLength: 1, maxLength: 5 })
  .map((edits) => edits.reduce((lines, [change, at]) => change(lines, at % lines.length), upstream));

interface Outcome {
  readonly page: string;
  /** Series on the page, by the counts of the program. */
  readonly shown: number;
}

/** The page of the daemon for one page of the server; undefined if that is rejected as a whole. */
async function exposed(lines: readonly string[]): Promise<Outcome | undefined> {
  const clock = new FakeClock();
  const parsed = await createTextParser(clock).parse(new TextEncoder().encode(`${lines.join('\n')}\n`));
  if (!parsed.ok) return undefined;
  const { families, rejected, withheld } = parsed.value;
  const total = lines.filter((line) => !/^[ \t]*(#|\r?$)/.test(line)).length;
  const kept = families.reduce((sum, { series }) => sum + series.length, 0);
  expect(kept + rejected + withheld.reduce((sum, { samples }) => sum + samples, 0)).toBe(total);
  const facts = { ...parsed.value, prefix: 'svc_' };
  const limits = {
    seriesPerFamily: 1000,
    seriesPerCollector: 1000,
    seriesPerPage: 1000,
    labelValueBytes: 256,
    instanceNumber: 1000,
  };
  const page = createMetricsPage({ ...limits, body: 1_000_000 }, clock);
  const passthrough = metrics.passthrough?.(facts) ?? [];
  const { series } = await page.put('a', { labels: {}, samples: metrics.samples(facts, clock.now()), passthrough });
  const body = await page.body('openmetrics', 'identity', '');
  const shown = Buffer.concat(body.pieces).toString();
  body.release();
  return { page: shown, shown: series };
}

it.skipIf(clients === undefined)(
  `a page of any of ${pages} mutated pages is accepted by a strict parser, and each loss is counted`,
  async () => {
    const outcomes: Outcome[] = [];
    for (const lines of fc.sample(mutatedPage, pages)) {
      const outcome = await exposed(lines);
      if (outcome !== undefined) outcomes.push(outcome);
    }
    expect(outcomes.length).toBeGreaterThan(pages / 2);
    const parser = spawn(join(clients ?? '', 'bin', 'python'), [join(import.meta.dirname, 'strict-pages.py')]);
    parser.stdin.end(outcomes.map(({ page }) => `${JSON.stringify(page)}\n`).join(''));
    const printed = (await text(parser.stdout)).trimEnd().split('\n');
    const result = z.object({ samples: z.number(), error: z.string().optional() });
    const results = printed.map((line) => result.parse(JSON.parse(line)));
    const wrong = results.flatMap(({ samples, error }, at) => {
      const outcome = outcomes[at];
      return error === undefined && samples === outcome?.shown ? [] : [{ error, samples, ...outcome }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(results).toHaveLength(outcomes.length);
  },
);
