import { describe, expect, it } from 'vitest';
import { createPrefixDetector, fetchInformantMetrics } from '../../../src/graphdb/endpoints/informant-metrics.ts';
import { createTextParser } from '../../../src/graphdb/exposition-parser.ts';
import { sampleValues } from '../../../src/model/exposition.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

function read(page: string, prefix = 'auto', signal = neverAborted()): ReturnType<typeof fetchInformantMetrics> {
  const caller = callerOver(new FakePool(['GET /informant/metrics', answer(page)]));
  return fetchInformantMetrics(
    caller,
    { parser: createTextParser(new FakeClock()), detectPrefix: createPrefixDetector(prefix) },
    signal,
  );
}

const service = (prefix: string): string =>
  `# TYPE ${prefix}service_status gauge\n${prefix}service_status{replica="1"} 6\n`;

function pageWith(...names: string[]) {
  const families = names.map(
    (name) => ({ name, type: 'gauge', help: '', series: [], values: sampleValues([]) }) as const,
  );
  return { families, withheld: [], rejected: 0, unconfirmed: 0 };
}

describe('the prefix of the informant', () => {
  it.each([
    ['svc_', service('svc_')],
    ['tigergraph_', `cpu_usage 1\n${service('tigergraph_')}`],
    ['a_b_', service('a_b_')],
    [undefined, 'svc_cpu_usage 1\n'],
    [undefined, 'service_status 6\n'],
  ])('is %s (case %$)', async (expected, page) => {
    expect(factsOf(await read(page)).prefix).toBe(expected);
  });

  it('is that of the larger part of the page if two are possible', async () => {
    expect(factsOf(await read(`${service('other_')}svc_a 1\nsvc_b 2\n${service('svc_')}`)).prefix).toBe('svc_');
  });

  it('is that of the previous page if a page lacks the service status, but has the prefix', () => {
    const detect = createPrefixDetector('auto');
    expect(detect(pageWith('svc_cpu_usage'))).toBeUndefined();
    expect(detect(pageWith('svc_cpu_usage', 'svc_service_status'))).toBe('svc_');
    expect(detect(pageWith('svc_cpu_usage'))).toBe('svc_');
    expect(detect(pageWith('other_cpu_usage'))).toBeUndefined();
    expect(detect(pageWith('other_service_status'))).toBe('other_');
  });

  it('is the configured one, for any page', async () => {
    expect(factsOf(await read(service('svc_'), 'mine_')).prefix).toBe('mine_');
  });
});

describe('a page of the informant', () => {
  it('returns its families', async () => {
    const { families, rejected } = factsOf(await read(service('svc_')));
    expect([families.map(({ name }) => name), rejected]).toEqual([['svc_service_status'], 0]);
  });

  it.each(['', '{"Error":{"Message":"canary"}}', 'no metrics at all', '<html>canary</html>', '\u0000\u0001'])(
    '%j is rejected',
    async (page) => {
      const error = failureOf(await read(page));
      expect(error.reason).toBe('body');
      expect(error.message).not.toContain('canary');
    },
  );

  it.each([service('svc_').trimEnd(), `${service('svc_')}svc_up{a="`, `${service('svc_')}# EO`])(
    'that is cut off is rejected: %j',
    async (page) => {
      const message = expect.stringContaining('it is incomplete');
      expect(failureOf(await read(page, 'svc_'))).toMatchObject({ reason: 'body', message });
    },
  );

  it('may end with the mark of OpenMetrics alone', async () => {
    expect(factsOf(await read(`${service('svc_')}# EOF`)).families).toHaveLength(1);
  });
});

it('the client rejects a page with more families than a server has', async () => {
  const page = Array.from({ length: 2001 }, (_, at) => `svc_f${at} 1\n`).join('');
  expect(failureOf(await read(page))).toMatchObject({ reason: 'too_large', limit: 'families' });
  expect(factsOf(await read(page.slice(page.indexOf('\n') + 1))).families).toHaveLength(2000);
});
