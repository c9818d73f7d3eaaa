import { hostname } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTextParser } from '../../../src/graphdb/exposition-parser.ts';
import type { ParsedFamily } from '../../../src/model/exposition.ts';
import type { MetricExportSettings } from '../../../src/model/metric-export.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { openMetricExports } from '../../../src/runtime/telemetry/open-metric-exports.ts';
import { eventually } from '../../support/child.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { recordingLogger } from '../../support/logger.ts';
import { type OtlpAnswer, otlpReceiver } from '../../support/otlp.ts';

const none = { unreachable: 0, timeout: 0, refused: 0, headers: 0 };

async function families(page: string): Promise<readonly ParsedFamily[]> {
  const parsed = await createTextParser(systemClock).parse(new TextEncoder().encode(page));
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value.families;
}

async function opened(settings: Partial<MetricExportSettings> = {}, files = new FakeFiles()) {
  let answer: OtlpAnswer = 200;
  const receiver = await otlpReceiver(() => answer);
  onTestFinished(() => receiver.close());
  const log = recordingLogger();
  const exports = await openMetricExports(
    { url: `${receiver.url}/v1/metrics`, ...settings },
    { clock: systemClock, files, log, build: { version: '1.2.3' } },
  );
  const respond = (next: OtlpAnswer): void => {
    answer = next;
  };
  return { exports, receiver, lines: log.lines, respond };
}

describe('the metric exporter', () => {
  it('sends the page with the resource of this process, and again when it closes', async () => {
    const { exports, receiver } = await opened();
    const page = '# HELP a_total A.\n# TYPE a_total counter\na_total{x="1"} 3\n# TYPE b_ratio gauge\nb_ratio 0.25\n';
    exports.start(() => families(page));
    await exports.close(5000);
    expect(receiver.points).toMatchObject([
      {
        metric: 'a_total',
        description: 'A.',
        unit: '',
        type: 'sum',
        isMonotonic: true,
        attributes: { x: '1' },
        value: 3,
      },
      { metric: 'b_ratio', unit: '1', type: 'gauge', attributes: {}, value: 0.25 },
    ]);
    const { resource, start, time } = receiver.points[0] ?? expect.fail();
    expect(resource).toMatchObject({
      'service.name': 'graphwarden',
      'service.version': '1.2.3',
      'host.name': hostname(),
    });
    expect(start).toBe(time);
    expect(exports.counts()).toEqual({ exported: 2, dropped: none });
  });

  it('sends a histogram with the counts of its single buckets', async () => {
    const { exports, receiver } = await opened();
    const page = '# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 5\nh_sum 9.5\nh_count 5\n';
    exports.start(() => families(page));
    await exports.close(5000);
    expect(receiver.points[0]?.histogram).toEqual({ count: 5, sum: 9.5, bounds: [1], counts: [2, 3] });
  });

  it('splits a large page into requests and loses no data point', async () => {
    const { exports, receiver } = await opened();
    const all = Array.from({ length: 4500 }, (_, at) => `a{x="${at}"} ${at}`);
    exports.start(() => families(`# TYPE a gauge\n${all.join('\n')}\n`));
    await exports.close(20_000);
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.points.map(({ value }) => value)).size).toBe(4500);
    expect(exports.counts().exported).toBe(4500);
  });

  it('exports at each interval, reads the headers again, and logs one failure and the recovery', async () => {
    const files = new FakeFiles({ h: 'authorization: one' });
    const { exports, receiver, lines, respond } = await opened({ interval: 50, headersFile: 'h' }, files);
    respond(400);
    exports.start(() => families('a 1\n'));
    await eventually('two exports fail', async () => exports.counts().dropped.refused >= 2);
    files.writeUnnoticed('h', 'authorization: two');
    respond(200);
    await eventually('an export succeeds', async () => exports.counts().exported > 0);
    await exports.close(5000);
    expect(receiver.requests[0]?.headers.authorization).toBe('one');
    expect(receiver.requests.at(-1)?.headers.authorization).toBe('two');
    expect(lines.map(({ level, message, fields }) => [level, message, fields.reason])).toEqual([
      ['warn', 'telemetry export failed', 'refused'],
      ['info', 'telemetry export recovered', undefined],
    ]);
  });

  it('closes in time although the endpoint does not respond', async () => {
    const { exports, respond } = await opened();
    respond('hang');
    exports.start(() => families('a 1\n'));
    await exports.close(200);
    expect(exports.counts().exported).toBe(0);
  });

  it('closes although it was never started', async () => {
    const { exports, receiver } = await opened();
    await exports.close(5000);
    expect(receiver.requests).toEqual([]);
  });
});
