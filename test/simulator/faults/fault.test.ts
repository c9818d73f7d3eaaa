import { describe, expect, it } from 'vitest';
import { FaultInjector, type FaultName, type FaultTarget, untilAborted } from '../../../src/simulator/faults/fault.ts';

describe('untilAborted', () => {
  it('resolves when the signal aborts, and not before', async () => {
    const controller = new AbortController();
    const log: string[] = [];
    const waited = untilAborted(controller.signal).then(() => log.push('aborted'));
    await Promise.resolve();
    log.push('before');
    controller.abort();
    await waited;
    expect(log).toEqual(['before', 'aborted']);
  });

  it('resolves at once if the signal is already aborted', async () => {
    await expect(untilAborted(AbortSignal.abort())).resolves.toBeUndefined();
  });
});

describe('FaultInjector', () => {
  it.each<readonly [FaultTarget, string, string, boolean]>([
    [{}, 'm1', '/a', true],
    [{ node: 'm1' }, 'm1', '/a', true],
    [{ node: 'm1' }, 'm2', '/a', false],
    [{ path: '/a' }, 'm2', '/a', true],
    [{ path: '/a' }, 'm2', '/a/b', false],
    [{ path: /^\/informant\// }, 'm1', '/informant/metrics', true],
    [{ path: /^\/informant\// }, 'm1', '/restpp/echo', false],
    [{ node: 'm1', path: '/a' }, 'm2', '/a', false],
  ])('a fault at %o strikes %s%s: %s', (target, node, path, expected) => {
    const faultHandlers = new FaultInjector(() => undefined);
    faultHandlers.inject('status_500', target);
    expect(faultHandlers.faultsFor(node, path)).toEqual(expected ? ['status_500'] : []);
  });

  it('applies the latest fault first, and the fault of the scenario last', () => {
    const faultHandlers = new FaultInjector(() => 'html_200');
    faultHandlers.inject('status_500', {});
    const remove = faultHandlers.inject('status_401', {});
    expect(faultHandlers.faultsFor('m1', '/')).toEqual(['status_401', 'status_500', 'html_200']);
    remove();
    remove();
    expect(faultHandlers.faultsFor('m1', '/')).toEqual(['status_500', 'html_200']);
  });

  it('removes one fault, even if there are two of the same kind', () => {
    const faultHandlers = new FaultInjector(() => undefined);
    const first = faultHandlers.inject('empty_body', { node: 'm1' });
    faultHandlers.inject('empty_body', { node: 'm1' });
    first();
    first();
    expect(faultHandlers.faultsFor('m1', '/')).toEqual(['empty_body']);
  });

  it('returns whether a fault affects a whole node', () => {
    let scripted: FaultName | undefined;
    const faultHandlers = new FaultInjector(() => scripted);
    faultHandlers.inject('connection_refused', { node: 'm1', path: '/ignored' });
    expect(faultHandlers.affectsNode('m1', 'connection_refused')).toBe(true);
    expect(faultHandlers.affectsNode('m2', 'connection_refused')).toBe(false);
    scripted = 'connection_refused';
    expect(faultHandlers.affectsNode('m2', 'connection_refused')).toBe(true);
    expect(faultHandlers.affectsNode('m2', 'clock_skew')).toBe(false);
  });
});
