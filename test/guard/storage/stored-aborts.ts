import fc from 'fast-check';
import { decisionKey } from '../../../src/guard/decision/decision.ts';
import type { StoredAbort } from '../../../src/guard/storage/abort-rows.ts';
import type { Row, StoreChange } from '../../../src/kernel/store.ts';
import { epoch, idAt } from '../observations.ts';

/** An intent of a policy; of query number `serial`. */
export function storedAbort(serial = 1, changes: Partial<StoredAbort> = {}): StoredAbort {
  const id = idAt(0, serial);
  const abort: Omit<StoredAbort, 'key'> = {
    cluster: 'prod',
    node: 'n1',
    id,
    startTime: '2026-09-21 14:13:20.000',
    graph: 'fraud',
    query: 'ring_scan',
    policy: 'runaway',
    policyHash: '0123456789ab',
    mode: 'enforce',
    at: epoch + 5000,
    notify: ['oncall'],
    evidence: {
      age: { least: 700_000, most: 701_000 },
      grantedTimeout: 3_600_000,
      matchedAt: epoch + 1000,
      due: epoch + 5000,
      firstSeenAt: epoch - 5000,
      lastSeenAt: epoch + 4900,
      pressures: { node_memory: 0.91 },
    },
    ...changes,
  };
  return { ...abort, key: decisionKey(abort) };
}

/** The row that a change puts. */
export function rowOf(change: StoreChange): Row {
  if ('put' in change) return change.put;
  throw new Error('no row was written');
}

const name = fc.stringMatching(/^[A-Za-z_]\w{0,20}$/);
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }).map((value) => value + 0);
const length = fc.nat({ max: 1e12 });
const when = fc.integer({ min: 0, max: 4e12 });
const line = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text));

/** Any intent that the guard could come to. */
export const anyAbort: fc.Arbitrary<StoredAbort> = fc
  .record({
    serial: fc.nat(),
    node: line.filter((text) => text !== ''),
    graph: name,
    query: name,
    policy: fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,62}$/),
    policyHash: fc.stringMatching(/^[\da-f]{12}$/),
    at: when,
    notify: fc.array(
      line.filter((text) => text !== ''),
      { maxLength: 3 },
    ),
    manual: fc.option(fc.record({ by: line, reason: line }), { nil: undefined }),
    evidence: fc.record(
      {
        age: fc.record({ least: number, most: number }),
        grantedTimeout: length,
        matchedAt: when,
        due: when,
        firstSeenAt: when,
        lastSeenAt: when,
        pressures: fc.dictionary(fc.constantFrom('node_memory', 'node_cpu', 'queue_depth'), number, {
          noNullPrototype: true,
        }),
      },
      { requiredKeys: ['age', 'matchedAt', 'due', 'firstSeenAt', 'lastSeenAt', 'pressures'], noNullPrototype: true },
    ),
  })
  .map(({ serial, manual, policy, ...rest }) =>
    storedAbort(serial, manual === undefined ? { ...rest, policy } : { ...rest, manual, policy: '', mode: 'manual' }),
  );
