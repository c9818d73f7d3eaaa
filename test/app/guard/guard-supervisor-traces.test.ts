import { describe, expect, it } from 'vitest';
import { idAt } from '../../guard/observations.ts';
import { createGuardFixture, runaway } from './guard-fixture.ts';

const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

describe('guard data for traces', () => {
  it('has the clock offset of a node after its first list', async () => {
    const { supervisor, nodes, begin, run, end } = createGuardFixture(enforced);
    expect(supervisor.clockOffset('prod', 'm1')).toBe(undefined);
    nodes.arrivals = [0];
    await begin();
    await run(12);
    expect(supervisor.clockOffset('prod', 'm1')).toBe(0);
    expect([supervisor.clockOffset('prod', 'm9'), supervisor.clockOffset('test', 'm1')]).toEqual([
      undefined,
      undefined,
    ]);
    await end();
  });

  it('names the policy of an abort as soon as the request is sent', async () => {
    const { supervisor, nodes, begin, run, end } = createGuardFixture(enforced);
    nodes.arrivals = [0];
    nodes.reply = { kind: 'accepted', aborted: [idAt(0)] };
    await begin();
    await run(5);
    expect(supervisor.abortedBy('prod', 'm1', idAt(0))).toBe(undefined);
    await run(20);
    expect(nodes.orders).toHaveLength(1);
    expect(supervisor.abortedBy('prod', 'm1', idAt(0))).toBe('runaway');
    nodes.arrivals = [];
    await run(30);
    expect(supervisor.abortedBy('prod', 'm1', idAt(0))).toBe('runaway');
    expect(supervisor.abortedBy('prod', 'm2', idAt(0))).toBe(undefined);
    expect(supervisor.abortedBy('prod', 'm1', idAt(1))).toBe(undefined);
    expect(supervisor.abortedBy('test', 'm1', idAt(0))).toBe(undefined);
    await end();
  });

  it('names no policy if the query was not aborted', async () => {
    const { supervisor, nodes, begin, run, end } = createGuardFixture(enforced);
    nodes.arrivals = [0];
    nodes.reply = { kind: 'accepted', aborted: [] };
    await begin();
    await run(90);
    expect(supervisor.decisions().map(({ outcome }) => outcome)).toEqual(['not_aborted']);
    expect(supervisor.abortedBy('prod', 'm1', idAt(0))).toBe(undefined);
    await end();
  });
});
