import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAbortCall } from '../../src/graphdb/abort-call.ts';
import { createCredentials } from '../../src/graphdb/credentials.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { HttpPool } from '../../src/kernel/http.ts';
import { err } from '../../src/kernel/result.ts';
import { anyCharacter } from '../support/any-character.ts';
import { numberOfRuns } from '../support/campaign.ts';
import { neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { FakeFiles } from '../support/fake-files.ts';

/** Written once more, in one piece and without the words of the program: what alone may leave. */
const strict =
  /^\/abortquery\/[A-Za-z_][A-Za-z0-9_]{0,127}\?requestid=[0-9]{1,20}\.RESTPP_[0-9]{1,4}_[0-9]{1,4}\.[0-9]{13}\.N$/;

interface Target {
  readonly graph: string;
  readonly id: string;
}

const digits = (most: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
const goodId = fc
  .tuple(digits(20), digits(4), digits(4), fc.stringMatching(/^[0-9]{13}$/))
  .map(([head, partition, replica, epoch]) => `${head}.RESTPP_${partition}_${replica}.${epoch}.N`);
const goodGraph = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,30}$/);

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
  fc.string({ unit: anyCharacter }),
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
  fc.string({ unit: anyCharacter }),
);
const targets = numberOfRuns({ short: 10_000, campaign: 100_000 });
const put = ({ graph, id }: Target): string => `/abortquery/${graph}?requestid=${id}`;
/** A good text with one piece of it cut out and another put in. */
const mutated = (good: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(good, fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: anyCharacter, maxLength: 3 }))
    .map(([text, at, cut, piece]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + piece + text.slice(from + cut);
    });
const hostileTarget: fc.Arbitrary<Target> = fc.oneof(
  { arbitrary: fc.record({ graph: goodGraph, id: hostileId }), weight: 3 },
  { arbitrary: fc.record({ graph: hostileGraph, id: goodId }), weight: 2 },
  { arbitrary: fc.record({ graph: goodGraph, id: mutated(goodId) }), weight: 3 },
  { arbitrary: fc.record({ graph: mutated(goodGraph), id: goodId }), weight: 1 },
  {
    arbitrary: fc.record({ graph: fc.string({ unit: anyCharacter }), id: fc.string({ unit: anyCharacter }) }),
    weight: 1,
  },
  { arbitrary: fc.record({ graph: goodGraph, id: goodId }), weight: 1 },
);

it('abort requests have only the allowed form, with 100,000 hostile ids and graphs', async () => {
  const left: string[] = [];
  const pool: Pick<HttpPool, 'request'> = {
    request: async ({ path }) => {
      left.push(path);
      return err(failure('unreachable', 'the connection was refused'));
    },
  };
  const clock = new FakeClock();
  const credentials = createCredentials({ kind: 'none' }, new FakeFiles(), clock);
  const known = { node: 'm1', origin: 'http://m1:14240', prefix: '' };
  const parts = { ...known, pool, credentials, form: () => 'older' as const, maxBytes: 1, clock };
  const abort = createAbortCall(parts);
  const signal = neverAborted();
  let good = 0;
  for (const target of fc.sample(hostileTarget, { numRuns: targets, seed: 4 })) {
    const path = put(target);
    const before = left.length;
    const { kind } = await abort({ ...target, connection: 'c1', mayWrite: () => true }, signal);
    const isGood = strict.test(path);
    good += Number(isGood);
    if (left.length - before !== Number(isGood) || kind !== (isGood ? 'lost' : 'unsent')) expect.fail(path);
  }
  expect(good).toBeGreaterThan(targets / 20);
  for (const path of left) {
    const { pathname, searchParams } = new URL(path, 'http://m1');
    const [[name, id] = [], ...others] = [...searchParams];
    if (name !== 'requestid' || others.length > 0 || path !== `${pathname}?requestid=${id}`) expect.fail(path);
  }
});
