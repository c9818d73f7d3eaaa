import { describe, expect, it } from 'vitest';
import { negotiateFormat } from '../../src/expose/content-negotiation.ts';

const text = 'text/plain; version=0.0.4; charset=utf-8';
const openMetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const early = 'application/openmetrics-text; version=0.0.1; charset=utf-8';

describe('the format', () => {
  it.each([
    ['nothing', '', text],
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', text],
    ['curl', '*/*', text],
    ['the text format', 'text/plain;version=0.0.4', text],
    ['plain text', 'text/plain', text],
    ['any text', 'text/*;q=0.3', text],
    ['OpenMetrics 1.0', 'application/openmetrics-text;version=1.0.0', openMetrics],
    ['OpenMetrics without a version', 'application/openmetrics-text', openMetrics],
    ['OpenMetrics 0.0.1', 'application/openmetrics-text; version=0.0.1', early],
    ['in capitals', 'Application/OpenMetrics-Text; Version="1.0.0"', openMetrics],
    [
      'Prometheus 2',
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      openMetrics,
    ],
    [
      'Prometheus 3',
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      openMetrics,
    ],
    [
      'Prometheus that prefers protocol buffers',
      'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.9,text/plain;version=0.0.4;q=0.5',
      text,
    ],
    [
      'a version of the future first',
      'application/openmetrics-text;version=2.0.0,application/openmetrics-text;version=1.0.0;q=0.5',
      openMetrics,
    ],
    ['a version of the future alone', 'application/openmetrics-text;version=2.0.0', text],
    ['text of the future', 'text/plain;version=1.0.0', text],
    ['the order among equals', 'application/openmetrics-text,text/plain', openMetrics],
    ['the other order', 'text/plain,application/openmetrics-text', text],
    ['a quality', 'application/openmetrics-text;q=0.1,text/plain;q=0.2', text],
    ['a refusal', 'application/openmetrics-text;q=0,*/*;q=0.1', text],
    ['a refusal of all', 'text/plain;q=0', text],
    ['a quality that is none', 'application/openmetrics-text;q=high,text/plain;q=0.1', text],
    ['a quality out of range', 'application/openmetrics-text;q=7', text],
    ['rubbish', ';;,=,;q', text],
    ['unknown types', 'image/png', text],
  ])('for %s', (_, accept, contentType) => {
    const answer = negotiateFormat({ accept });
    expect(answer.contentType).toBe(contentType);
    expect(answer.format).toBe(contentType === text ? 'text' : 'openmetrics');
    expect(answer.headers['content-type']).toBe(contentType);
  });

  it('is text without any header', () => {
    expect(negotiateFormat({})).toEqual({
      format: 'text',
      encoding: 'identity',
      contentType: text,
      headers: { 'content-type': text, vary: 'Accept, Accept-Encoding' },
    });
  });
});

describe('the encoding', () => {
  it.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate, gzip, br, zstd', 'gzip'],
    ['gzip;q=0.1', 'gzip'],
    ['*', 'gzip'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=1.0, identity; q=0.5, *;q=0', 'gzip'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['br', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, *', 'identity'],
    ['*;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip;q=yes', 'identity'],
  ])('of the header %s is %s', (header, encoding) => {
    const answer = negotiateFormat({ 'accept-encoding': header });
    expect(answer.encoding).toBe(encoding);
    expect(answer.headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined);
    expect(answer.headers.vary).toBe('Accept, Accept-Encoding');
  });
});
