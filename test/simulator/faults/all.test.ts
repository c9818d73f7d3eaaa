import { describe, expect, it } from 'vitest';
import { faultEffects } from '../../../src/simulator/faults/all.ts';
import { type FaultName, faultNames } from '../../../src/simulator/faults/fault.ts';
import { faultContextOf, healthyReply } from './fault-context.ts';

async function location(name: FaultName): Promise<string | undefined> {
  return (await faultEffects[name](faultContextOf())).headers?.location;
}

describe('the table of faults', () => {
  it('has exactly the known names', () => {
    expect(Object.keys(faultEffects)).toEqual([...faultNames]);
    expect(new Set(faultNames).size).toBe(faultNames.length);
  });

  it.each([
    ['status_401', 401],
    ['status_403', 403],
    ['status_404', 404],
    ['status_408', 408],
    ['status_422', 422],
    ['status_429', 429],
    ['status_500', 500],
    ['status_503', 503],
    ['status_504', 504],
    ['html_502', 502],
    ['html_200', 200],
    ['redirect_loop', 302],
    ['redirect_elsewhere', 302],
  ] as const)('%s answers %d', async (name, status) => {
    expect(await faultEffects[name](faultContextOf())).toMatchObject({ status });
  });

  it('has Retry-After for the status 429', async () => {
    expect((await faultEffects.status_429(faultContextOf())).headers?.['retry-after']).toBe('7');
  });

  it('redirects to the same node or to another one', async () => {
    expect(await location('redirect_loop')).toBe('/restpp/showprocesslistall');
    expect(await location('redirect_elsewhere')).toBe('http://127.0.0.1:1/api/ping');
  });

  it.each(['connection_refused', 'clock_skew'] as const)('%s does not change replies', async (name) => {
    expect(await faultEffects[name](faultContextOf())).toBe(healthyReply);
  });
});
