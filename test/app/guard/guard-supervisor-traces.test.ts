import { describe, expect, it } from 'vitest';
import { idAt } from '../../guard/observations.ts';
import { createGuardFixture, runaway } from './guard-fixture.ts';

const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

describe('guard data for traces', () => {
  it('has the clock offset of a node after its first list', async () => {
    const { watch, nodes, begin, run, end } = createGuardFixture(enforced);
    expect(watch.clockOffset('prod', 'm1')).toBe(undefined);
    nodes.arrivals = [0];
    await begin();
    await run(12);
    expect(watch.clockOffset('prod', 'm1')).toBe(0);
    expect([watch.clockOffset('prod', 'm9'), watch.clockOffset('test', 'm1')]).toEqual([undefined, undefined]);
    await end();
  });

  it('names the policy of an abort as soon as the request is sent', async () => {
    const { watch, nodes, begin, run, end } = createGuardFixture(enforced);
    nodes.arrivals = [0];
    nodes.reply = { kind: 'taken', aborted: [idAt(0)] };
    await begin();
    await run(5);
    expect(watch.abortedBy('prod', 'm1', idAt(0))).toBe(undefined);
    await run(20);
    expect(nodes.orders).toHaveLength(1);
    expect(watch.abortedBy('prod', 'm1', idAt(0))).toBe('runaway');
    nodes.arrivals = [];
    await run(30);
    expect(watch.abortedBy('prod', 'm1', idAt(0))).toBe('runaway');
    expect(watch.abortedBy('prod', 'm2', idAt(0))).toBe(undefined);
    expect(watch.abortedBy('prod', 'm1', idAt(1))).toBe(undefined);
    expect(watch.abortedBy('test', 'm1', idAt(0))).toBe(undefined);
    await end();
  });

  it('names no policy if the query was not aborted', async () => {
    const { watch, nodes, begin, run, end } = createGuardFixture(enforced);
    nodes.arrivals = [0];
    nodes.reply = { kind: 'taken', aborted: [] };
    await begin();
    await run(90);
    expect(watch.decisions().map(({ outcome }) => outcome)).toEqual(['not_aborted']);
    expect(watch.abortedBy('prod', 'm1', idAt(0))).toBe(undefined);
    await end();
  });
});
