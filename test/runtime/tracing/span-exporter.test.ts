import { describe, expect, it } from 'vitest';
import { ExportStatistics } from '../../../src/runtime/tracing/export-statistics.ts';
import { instrumentedExporter, otlpExporter } from '../../../src/runtime/tracing/span-exporter.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { recordingLogger } from '../../support/logger.ts';
import { otlpReceiver } from '../../support/otlp.ts';

/** What became of sending nothing at all, which is a request too. */
function sent(exporter: ReturnType<typeof otlpExporter>): Promise<Error | undefined> {
  return new Promise((resolve) => exporter?.export([], ({ error }) => resolve(error)));
}

describe('otlpExporter', () => {
  it('reads the headers file again for each request and adds the headers to its own', async () => {
    const receiver = await otlpReceiver();
    const files = new FakeFiles({ h: 'authorization: one' });
    const exporter = otlpExporter({ url: `${receiver.url}/v1/traces`, headersFile: 'h' }, files);
    await sent(exporter);
    files.writeUnnoticed('h', 'authorization: two');
    await sent(exporter);
    expect(receiver.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/traces', 'one'],
      ['/v1/traces', 'two'],
    ]);
    expect(receiver.requests[0]?.headers['content-type']).toBe('application/x-protobuf');
    await receiver.close();
  });

  it('sends nothing without headers that it should have', async () => {
    const receiver = await otlpReceiver();
    const error = await sent(otlpExporter({ url: receiver.url, headersFile: 'none' }, new FakeFiles()));
    expect(error?.message).toBe('headers_file cannot be read');
    expect(receiver.requests).toEqual([]);
    await receiver.close();
  });
});

describe('countedExporter', () => {
  it('counts what another one arrives with, or fails with', async () => {
    const tally = new ExportStatistics(10, recordingLogger());
    const receiver = await otlpReceiver(() => (receiver.requests.length > 1 ? 400 : 200));
    const exporter = instrumentedExporter(otlpExporter({ url: receiver.url }, new FakeFiles()), tally);
    expect(await sent(exporter)).toBe(undefined);
    expect((await sent(exporter))?.name).toBe('OTLPExporterError');
    await exporter?.shutdown();
    await receiver.close();
  });
});
