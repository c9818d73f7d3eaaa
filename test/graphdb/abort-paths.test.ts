import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAbortCall } from '../../src/graphdb/abort-call.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { HttpPool } from '../../src/kernel/http.ts';
import { err } from '../../src/kernel/result.ts';
import { patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';

/** Written once more, in one piece and without the words of the program: what alone may leave. */
const strict =
  /^\/abortquery\/[A-Za-z_][A-Za-z0-9_]{0,127}\?requestid=[0-9]{1,20}\.RESTPP_[0-9]{1,4}_[0-9]{1,4}\.[0-9]{13}\.N$/;

const digits = (most: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const goodId = fc
  .tuple(digits(20), digits(4), digits(4), fc.stringMatching(/^[0-9]{13}$/))
  .map(([head, partition, replica, epoch]) => `${head}.RESTPP_${partition}_${replica}.${epoch}.N`);
const goodGraph = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,30}$/);
const goodPath = fc.tuple(goodGraph, goodId).map(([graph, id]) => `/abortquery/${graph}?requestid=${id}`);

const hostileId = fc.oneof(
  fc.constantFrom('', 'all', 'ALL', '*', '.*', '%', '%00', 'undefined', '[object Object]', '__proto__', 'N'),
  goodId.chain((id) =>
    fc.constantFrom(
      `${id}&requestid=all`,
      `${id}&requestid=${id}`,
      `${id}&url=.*`,
      `${id}%26url=.*`,
      `${id},${id}`,
      `all&requestid=${id}`,
      `${id}\u0000`,
      `${id}\r\nhost: elsewhere`,
      encodeURIComponent(`${id}&`),
      id.replace('.N', '.n'),
      id.replaceAll('.', '。'),
      id.repeat(2),
      id.repeat(2000),
    ),
  ),
  fc.string({ unit: 'binary' }),
);
const hostileGraph = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '..',
    '.',
    '%2e%2e',
    'a/b',
    'a?requestid=all',
    'a#',
    'ä',
    ' fraud',
    'fraud ',
    'g'.repeat(129),
  ),
  fc.string({ unit: 'binary' }),
);
const put = (graph: string, id: string): string => `/abortquery/${graph}?requestid=${id}`;
/** A good path with one piece of it cut out and another put in. */
const mutated = fc
  .tuple(goodPath, fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: 'binary', maxLength: 3 }))
  .map(([path, at, cut, piece]) => {
    const from = at % (path.length + 1);
    return path.slice(0, from) + piece + path.slice(from + cut);
  });
const hostilePath = fc.oneof(
  { arbitrary: fc.tuple(goodGraph, hostileId).map(([graph, id]) => put(graph, id)), weight: 3 },
  { arbitrary: fc.tuple(hostileGraph, goodId).map(([graph, id]) => put(graph, id)), weight: 2 },
  { arbitrary: mutated, weight: 4 },
  { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  { arbitrary: goodPath, weight: 1 },
);

it('lets nothing leave but the one form, of 100,000 hostile paths', async () => {
  const left: string[] = [];
  const pool: Pick<HttpPool, 'request'> = {
    request: async ({ path }) => {
      left.push(path);
      return err(failure('unreachable', 'nobody is there'));
    },
  };
  const clock = new FakeClock();
  const credentials = createCredentials({ kind: 'none' }, new FakeFiles(), clock);
  const known = { node: 'm1', origin: 'http://m1:14240', prefix: '' };
  const parts = { ...known, pool, credentials, form: () => 'older' as const, maxBytes: 1, clock };
  const abort = createAbortCall(parts);
  const signal = patient();
  let good = 0;
  for (const path of fc.sample(hostilePath, { numRuns: 100_000, seed: 4 })) {
    const before = left.length;
    const { kind } = await abort({ path, address: '10.0.0.1:14240' }, signal);
    const isGood = strict.test(path);
    good += Number(isGood);
    if (left.length - before !== Number(isGood) || kind !== (isGood ? 'lost' : 'unsent')) expect.fail(path);
  }
  expect(good).toBeGreaterThan(5_000);
  for (const path of left) {
    const { pathname, searchParams } = new URL(path, 'http://m1');
    const [[name, id] = [], ...others] = [...searchParams];
    if (name !== 'requestid' || others.length > 0 || path !== `${pathname}?requestid=${id}`) expect.fail(path);
  }
}, 180_000);
