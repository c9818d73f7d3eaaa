import { describe, expect, it } from 'vitest';
import { tracingSection } from '../../src/trace/tracing-section.ts';

describe('the tracing section', () => {
  it('traces everything, nowhere, when nothing is said', () => {
    const nothing = { queries: true, incidents: true, cycles: false };
    expect(tracingSection.parse(undefined)).toEqual(nothing);
    expect(tracingSection.parse({})).toEqual(nothing);
  });

  it('takes over what is said', () => {
    const given = { endpoint: 'http://127.0.0.1:4318/', headers_file: 'h.txt', sample: 0.1, queries: false };
    expect(tracingSection.parse({ ...given, incidents: false, cycles: true })).toEqual({
      endpoint: 'http://127.0.0.1:4318',
      headersFile: 'h.txt',
      sample: 0.1,
      queries: false,
      incidents: false,
      cycles: true,
    });
  });

  it.each([
    { endpoint: '127.0.0.1:4318' },
    { endpoint: 'grpc://127.0.0.1:4317' },
    { endpoint: 'http://u:p@127.0.0.1' },
    { endpoint: 'http://a/?key=1' },
    { headers_file: '' },
    { sample: -0.1 },
    { sample: 1.1 },
    { sample: '10%' },
    { queries: 'yes' },
    { spans: true },
  ])('refuses %j', (given) => {
    expect(tracingSection.safeParse(given).success).toBe(false);
  });
});
