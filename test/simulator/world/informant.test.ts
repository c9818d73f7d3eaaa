import { describe, expect, it } from 'vitest';
import { runEventsUntil } from '../../../src/simulator/world/event-source.ts';
import { Informant, type Instruments } from '../../../src/simulator/world/informant.ts';

function instruments(log: string[]): Instruments {
  const look = (what: string) => (at: number) => {
    log.push(`${what}@${at}`);
    return [];
  };
  return {
    capacity: look('capacity'),
    disks: look('disks'),
    network: look('network'),
    endpoints: look('endpoints'),
    statuses: () => [],
  };
}

describe('Informant', () => {
  it('refreshes every minute, and the disks every five', () => {
    const log: string[] = [];
    const informant = new Informant(instruments(log), 0);
    runEventsUntil([informant], 600_000);
    expect(log.filter((line) => line.startsWith('disks'))).toEqual(['disks@0', 'disks@300000', 'disks@600000']);
    expect(log.filter((line) => line.startsWith('network'))).toHaveLength(11);
    expect(informant.view).toMatchObject({ number: 11, at: 600_000 });
  });

  it('has the last disk measurement until the next one', () => {
    const informant = new Informant(instruments([]), 0);
    runEventsUntil([informant], 60_000);
    const [first, second] = informant.views;
    expect(second?.disks).toBe(first?.disks);
    expect(second?.network).not.toBe(first?.network);
  });

  it('keeps measurements for 15 minutes', () => {
    const informant = new Informant(instruments([]), 0);
    runEventsUntil([informant], 3_600_000);
    expect(informant.views.map(({ at }) => at / 60_000)).toEqual([
      46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
    ]);
  });

  it('has no measurements before its first refresh', () => {
    expect(() => new Informant(instruments([]), 0).view).toThrow('the informant has not refreshed yet');
  });
});
