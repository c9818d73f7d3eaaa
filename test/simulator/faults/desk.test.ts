import { describe, expect, it } from 'vitest';
import { FaultDesk, type FaultPlace } from '../../../src/simulator/faults/desk.ts';
import type { FaultName } from '../../../src/simulator/faults/names.ts';

describe('FaultDesk', () => {
  it.each<readonly [FaultPlace, string, string, boolean]>([
    [{}, 'm1', '/a', true],
    [{ node: 'm1' }, 'm1', '/a', true],
    [{ node: 'm1' }, 'm2', '/a', false],
    [{ path: '/a' }, 'm2', '/a', true],
    [{ path: '/a' }, 'm2', '/a/b', false],
    [{ path: /^\/informant\// }, 'm1', '/informant/metrics', true],
    [{ path: /^\/informant\// }, 'm1', '/restpp/echo', false],
    [{ node: 'm1', path: '/a' }, 'm2', '/a', false],
  ])('a fault at %o strikes %s%s: %s', (place, node, path, expected) => {
    const desk = new FaultDesk(() => undefined);
    desk.inject('status_500', place);
    expect(desk.striking(node, path)).toEqual(expected ? ['status_500'] : []);
  });

  it('puts the latest first, and that of the scenario last', () => {
    const desk = new FaultDesk(() => 'html_200');
    desk.inject('status_500', {});
    const remove = desk.inject('status_401', {});
    expect(desk.striking('m1', '/')).toEqual(['status_401', 'status_500', 'html_200']);
    remove();
    remove();
    expect(desk.striking('m1', '/')).toEqual(['status_500', 'html_200']);
  });

  it('removes the very one, even when there are two of a kind', () => {
    const desk = new FaultDesk(() => undefined);
    const first = desk.inject('empty_body', { node: 'm1' });
    desk.inject('empty_body', { node: 'm1' });
    first();
    first();
    expect(desk.striking('m1', '/')).toEqual(['empty_body']);
  });

  it('knows what a whole node suffers from', () => {
    let scripted: FaultName | undefined;
    const desk = new FaultDesk(() => scripted);
    desk.inject('connection_refused', { node: 'm1', path: '/ignored' });
    expect(desk.suffers('m1', 'connection_refused')).toBe(true);
    expect(desk.suffers('m2', 'connection_refused')).toBe(false);
    scripted = 'connection_refused';
    expect(desk.suffers('m2', 'connection_refused')).toBe(true);
    expect(desk.suffers('m2', 'clock_skew')).toBe(false);
  });
});
