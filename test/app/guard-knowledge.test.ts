import { describe, expect, it } from 'vitest';
import { idAt } from '../guard/listed.ts';
import { guardBed, runaway } from './guard-scene.ts';

const enforced = { mode: 'enforce', policies: [{ ...runaway, mode: 'enforce', grace: '5s' }] };

describe('what traces ask the guard', () => {
  it('is how the clock of a node stands to ours, once a list has told', async () => {
    const { watch, nodes, begin, run, end } = guardBed(enforced);
    expect(watch.offset('prod', 'm1')).toBe(undefined);
    nodes.arrivals = [0];
    await begin();
    await run(12);
    expect(watch.offset('prod', 'm1')).toBe(0);
    expect([watch.offset('prod', 'm9'), watch.offset('test', 'm1')]).toEqual([undefined, undefined]);
    await end();
  });

  it('is which policy had a query aborted, as soon as that is asked of the node', async () => {
    const { watch, nodes, begin, run, end } = guardBed(enforced);
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

  it('is nobody where the query was not aborted after all', async () => {
    const { watch, nodes, begin, run, end } = guardBed(enforced);
    nodes.arrivals = [0];
    nodes.reply = { kind: 'taken', aborted: [] };
    await begin();
    await run(90);
    expect(watch.decisions().map(({ outcome }) => outcome)).toEqual(['not_aborted']);
    expect(watch.abortedBy('prod', 'm1', idAt(0))).toBe(undefined);
    await end();
  });
});
