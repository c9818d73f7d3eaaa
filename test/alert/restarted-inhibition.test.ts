import { describe, expect, it } from 'vitest';
import { alertViews } from '../../src/alert/alert-view.ts';
import { AlertingTestbed, ruleOf } from './alerting-testbed.ts';

const second = 1000;
const m1 = { node: 'm1' };
const slow = ruleOf('slow', { for: 60 * second, keepFiringFor: 10 * second });
const both = { rules: { slow: [m1], node_unreachable: [m1] } };
const alone = { rules: { slow: [m1] } };
const none = { rules: {} };

/** Returns a test bed in which an unreachable node inhibits another alert. */
async function inhibited(): Promise<AlertingTestbed> {
  const bed = new AlertingTestbed({ rules: [slow, ruleOf('node_unreachable')] });
  await bed.evaluate(both);
  await bed.evaluate(both, 60 * second);
  return bed;
}

describe('an inhibited alert after a restart', () => {
  it('stays inhibited, and is shown as such before the first evaluation', async () => {
    const bed = await inhibited();
    await bed.restart(second);
    expect(alertViews(bed.state).some(({ inhibitedBy }) => inhibitedBy !== undefined)).toBe(true);
    expect(await bed.evaluate(both, second)).toEqual([]);
  });

  it('causes no notification if it ends within its for duration after the inhibition', async () => {
    const bed = await inhibited();
    await bed.restart(second);
    expect(await bed.evaluate(alone, second)).toEqual(['resolve node_unreachable m1']);
    expect(await bed.evaluate(alone, 50 * second)).toEqual([]);
    expect(await bed.evaluate(none, 20 * second)).toEqual([]);
  });

  it('causes no notification if its problem is over', async () => {
    const bed = await inhibited();
    await bed.restart(second);
    expect(await bed.evaluate(none, second)).toEqual(['resolve node_unreachable m1']);
    expect(await bed.evaluate(none, 11 * second)).toEqual([]);
    expect(bed.state.incidents.size).toBe(0);
  });

  it('causes a notification after its for duration, which several restarts do not extend', async () => {
    const bed = await inhibited();
    await bed.evaluate(alone, second);
    await bed.evaluate(alone, second);
    for (const _ of [1, 2]) {
      expect(await bed.evaluate(alone, 20 * second)).toEqual([]);
      await bed.restart(second);
    }
    expect(await bed.evaluate(alone, 17 * second)).toEqual([]);
    expect(await bed.evaluate(alone, second)).toEqual(['trigger slow m1 > chat']);
  });
});
