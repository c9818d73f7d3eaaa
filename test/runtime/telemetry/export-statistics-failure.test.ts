import { describe, expect, it } from 'vitest';
import { exportFailure, HeadersError } from '../../../src/runtime/telemetry/export-statistics.ts';

function errorWith(more: Readonly<Record<string, unknown>>, message = 'canary'): Error {
  return Object.assign(new Error(message), more);
}

describe('exportFailure', () => {
  it.each([
    [new HeadersError('no file'), 'headers', 'no file'],
    [
      errorWith({ name: 'OTLPExporterError', code: 401, data: 'canary' }),
      'refused',
      'the endpoint responded with status 401',
    ],
    [errorWith({ name: 'OTLPExporterError' }), 'refused', 'the endpoint is overloaded'],
    [errorWith({ code: 'ECONNREFUSED' }), 'unreachable', 'the endpoint cannot be reached: ECONNREFUSED'],
    [errorWith({}, 'Request timed out'), 'timeout', 'the endpoint did not respond in time'],
    [errorWith({ code: {} }), 'unreachable', 'the connection was lost'],
    [errorWith({}), 'unreachable', 'the connection was lost'],
    [undefined, 'unreachable', 'the connection was lost'],
  ])('maps %s to the reason %s (case %$)', (error, reason, message) => {
    expect(exportFailure(error)).toEqual({ reason, message });
  });
});
