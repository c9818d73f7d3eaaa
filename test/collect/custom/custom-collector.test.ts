import { describe, expect, it } from 'vitest';
import { customCollector, customCollectorName } from '../../../src/collect/custom/custom-collector.ts';
import type { CustomQuery } from '../../../src/collect/custom/custom-query.ts';
import { customSection } from '../../../src/collect/custom/settings.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { failed } from '../../support/fake-graphdb.ts';
import { pollOnce } from '../../support/poll-results.ts';

function queryOf(change: object = {}): CustomQuery {
  const metrics = [{ name: 'fraud_degree', help: 'Degree.', value: 'degree', labels: { type: 'type' } }];
  const [query] = customSection.parse([{ name: 'degree', graph: 'fraud', query: 'outliers', metrics, ...change }]);
  if (query === undefined) throw new Error('no query');
  return query;
}

const printed = ok([{ type: 'Account', degree: 3 }]);
const versionOf = (version: string) => ok([{ component: 'product', version, commit: '' }]);

describe('a custom query', () => {
  it('becomes a collector with its name, scope and metrics', () => {
    expect(customCollectorName({ name: 'degree' })).toBe('custom_degree');
    expect(customCollector(queryOf())).toMatchObject({
      name: 'custom_degree',
      scope: 'cluster',
      isCustom: true,
      calls: [],
    });
    expect(customCollector(queryOf({ nodes: ['m1'] }))).toMatchObject({ scope: 'node', nodes: ['m1'] });
    expect(customCollector(queryOf({ nodes: 'all' })).nodes).toBeUndefined();
  });

  it('returns samples of the printed values', async () => {
    const { error, lines, calls } = await pollOnce(customCollector(queryOf()), { runQuery: printed });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['runQuery']);
    expect(lines).toEqual(['fraud_degree{graph="fraud",type="Account"} 3']);
  });

  it('fails if the definition does not match', async () => {
    const { error, lines } = await pollOnce(customCollector(queryOf()), { runQuery: ok([{ type: 'a', degre: 3 }]) });
    expect(error).toEqual(
      failure(
        'body',
        'custom query degree on m1: metric fraud_degree: value: `degree` matches no row: the value has no member "degree"; `graphwarden custom try` lists its members',
      ),
    );
    expect(lines).toEqual([]);
  });

  it.each([
    ['4.1', undefined, '4.1.3', true],
    ['4.2', undefined, '4.1.3', false],
    [undefined, '4.1', '4.1.3', true],
    [undefined, '4.0', '4.1.3', false],
    ['9.9', undefined, 'nightly', true],
  ])('from %s to %s runs on %s: %s', async (min_version, max_version, version, runs) => {
    const script = { versions: versionOf(version), ...(runs && { runQuery: printed }) };
    const { error, lines } = await pollOnce(customCollector(queryOf({ min_version, max_version })), script);
    expect(error).toBeUndefined();
    expect(lines).toHaveLength(runs ? 1 : 0);
  });

  it('fails with the call for the version', async () => {
    const { error } = await pollOnce(customCollector(queryOf({ min_version: '4.1' })), { versions: failed('timeout') });
    expect(error?.reason).toBe('timeout');
  });

  it.each([
    [failure('unsupported', 'x'), 'x; the query outliers is not installed on the graph fraud'],
    [failure('auth', 'x'), 'x; the user of read_auth needs EXECUTE_QUERY, READ_DATA on the graph fraud'],
    [failure('status', 'x', { code: 'REST-30000' }), 'x; check the names and types of the parameters'],
    [failure('timeout', 'x'), 'x'],
  ])('adds the likely cause to a failure of the server: %j', async (error, message) => {
    const result = await pollOnce(customCollector(queryOf()), { runQuery: err(error) });
    expect(result.error).toEqual({ ...error, message });
  });
});
