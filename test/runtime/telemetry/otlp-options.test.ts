import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { describe, expect, it } from 'vitest';
import type { OtlpEndpoint } from '../../../src/model/span.ts';
import { otlpOptions, readOtlpHeaders } from '../../../src/runtime/telemetry/otlp-options.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { otlpReceiver } from '../../support/otlp.ts';

function read(text: string) {
  return readOtlpHeaders('h.txt', new FakeFiles({ 'h.txt': text }));
}

describe('readOtlpHeaders', () => {
  it.each([
    ['Authorization: Bearer abc', { Authorization: 'Bearer abc' }],
    ['a: 1\r\n\r\n# why\n  b :2 \n', { a: '1', b: '2' }],
    ['x-scope: a: b=c', { 'x-scope': 'a: b=c' }],
    ['empty:', { empty: '' }],
    ['', {}],
  ])('reads %j', async (text, headers) => {
    expect(await read(text)).toEqual({ ok: true, value: headers });
  });

  it.each(['canary', 'a b: canary', 'a: can\u0000ary', ': canary', 'a: cänary'])(
    'rejects %j without repeating it',
    async (text) => {
      const error = 'headers_file has a line that is not `Name: value`';
      expect(await read(`good: 1\n${text}`)).toEqual({ ok: false, error });
    },
  );

  it('returns an error if the file cannot be read', async () => {
    const error = 'headers_file cannot be read';
    expect(await readOtlpHeaders('none.txt', new FakeFiles())).toEqual({ ok: false, error });
  });
});

/** What became of sending nothing at all, which is a request too. */
function sent(exporter: OTLPTraceExporter): Promise<Error | undefined> {
  return new Promise((resolve) => exporter.export([], ({ error }) => resolve(error)));
}

const exporterTo = (route: OtlpEndpoint, files: FakeFiles) => new OTLPTraceExporter(otlpOptions(route, files));

describe('otlpOptions', () => {
  it('reads the headers file again for each request and adds the headers to its own', async () => {
    const receiver = await otlpReceiver();
    const files = new FakeFiles({ h: 'authorization: one' });
    const exporter = exporterTo({ url: `${receiver.url}/v1/traces`, headersFile: 'h' }, files);
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

  it('sends no request without its configured headers', async () => {
    const receiver = await otlpReceiver();
    const error = await sent(exporterTo({ url: receiver.url, headersFile: 'none' }, new FakeFiles()));
    expect(error?.message).toBe('headers_file cannot be read');
    expect(receiver.requests).toEqual([]);
    await receiver.close();
  });
});
