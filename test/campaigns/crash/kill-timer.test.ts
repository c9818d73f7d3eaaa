import { beforeEach, expect, it } from 'vitest';
import { type KillMoment, KillTimer } from '../../../campaigns/crash/kill-timer.ts';
import { FakeClock } from '../../support/clock.ts';

let clock: FakeClock;
let killTimer: KillTimer<'send' | 'write'>;
let kills: number;
let ended: boolean | undefined;

beforeEach(() => {
  clock = new FakeClock();
  killTimer = new KillTimer(clock);
  kills = 0;
  ended = undefined;
});

async function wait(kill: KillMoment<'send' | 'write'>): Promise<void> {
  void ending(kill);
  await clock.advance(0);
}

async function ending(kill: KillMoment<'send' | 'write'>): Promise<void> {
  const count = (): void => {
    kills += 1;
  };
  ended = await killTimer.wait(kill, count, 1000);
}

it('kill timer › kills synchronously and once if there is no delay after the moment', async () => {
  await wait({ moment: 'send', nth: 2, after: 0 });
  killTimer.record('send');
  expect(kills).toBe(0);
  killTimer.record('send');
  expect(kills).toBe(1);
  await clock.advance(0);
  expect(ended).toBe(true);
  for (const _ of [1, 2]) killTimer.record('send');
  expect(kills).toBe(1);
});

it('kill timer › waits for the delay after the moment and does not kill', async () => {
  await wait({ moment: 'send', nth: 1, after: 20 });
  killTimer.record('send');
  await clock.advance(19);
  expect(ended).toBeUndefined();
  await clock.advance(1);
  expect([ended, kills]).toEqual([true, 0]);
});

it('kill timer › supports a moment that is only a time', async () => {
  await wait({ moment: 'time', nth: 1, after: 5000 });
  await clock.advance(4999);
  expect(ended).toBeUndefined();
  await clock.advance(1);
  expect(ended).toBe(true);
});

it('kill timer › returns false if the moment does not come', async () => {
  await wait({ moment: 'send', nth: 1, after: 0 });
  killTimer.record('write');
  await clock.advance(1000);
  expect(ended).toBe(false);
  killTimer.record('send');
  expect(kills).toBe(0);
});
