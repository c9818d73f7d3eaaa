import { describe, expect, it } from 'vitest';
import { exportTrouble, HeadersError } from '../../../src/runtime/tracing/export-trouble.ts';

function errorWith(more: Readonly<Record<string, unknown>>, message = 'canary'): Error {
  return Object.assign(new Error(message), more);
}

describe('exportTrouble', () => {
  it.each([
    [new HeadersError('no file'), 'headers', 'no file'],
    [errorWith({ name: 'OTLPExporterError', code: 401, data: 'canary' }), 'refused', 'it answered with status 401'],
    [errorWith({ name: 'OTLPExporterError' }), 'refused', 'it was too busy, repeatedly'],
    [errorWith({ code: 'ECONNREFUSED' }), 'unreachable', 'it cannot be reached: ECONNREFUSED'],
    [errorWith({}, 'Request timed out'), 'timeout', 'it did not answer in time'],
    [errorWith({ code: {} }), 'unreachable', 'the exchange broke off'],
    [errorWith({}), 'unreachable', 'the exchange broke off'],
    [undefined, 'unreachable', 'the exchange broke off'],
  ])('%s', (error, reason, message) => {
    expect(exportTrouble(error)).toEqual({ reason, message });
  });
});
