import { beforeEach, expect, it } from 'vitest';
import { Doom, type KillAt } from '../../crash/doom.ts';
import { FakeClock } from '../support/clock.ts';

let clock: FakeClock;
let doom: Doom<'send' | 'write'>;
let kills: number;
let ended: boolean | undefined;

beforeEach(() => {
  clock = new FakeClock();
  doom = new Doom(clock);
  kills = 0;
  ended = undefined;
});

async function wait(kill: KillAt<'send' | 'write'>): Promise<void> {
  void ending(kill);
  await clock.advance(0);
}

async function ending(kill: KillAt<'send' | 'write'>): Promise<void> {
  const count = (): void => {
    kills += 1;
  };
  ended = await doom.wait(kill, count, 1000);
}

it('kills in the very turn of the moment, where nothing is to be waited for, and once', async () => {
  await wait({ moment: 'send', nth: 2, after: 0 });
  doom.happened('send');
  expect(kills).toBe(0);
  doom.happened('send');
  expect(kills).toBe(1);
  await clock.advance(0);
  expect(ended).toBe(true);
  for (const _ of [1, 2]) doom.happened('send');
  expect(kills).toBe(1);
});

it('waits after the moment as long as it is to, and leaves the killing to others', async () => {
  await wait({ moment: 'send', nth: 1, after: 20 });
  doom.happened('send');
  await clock.advance(19);
  expect(ended).toBeUndefined();
  await clock.advance(1);
  expect([ended, kills]).toEqual([true, 0]);
});

it('knows a moment that is time alone', async () => {
  await wait({ moment: 'time', nth: 1, after: 5000 });
  await clock.advance(4999);
  expect(ended).toBeUndefined();
  await clock.advance(1);
  expect(ended).toBe(true);
});

it('gives up where the moment does not come', async () => {
  await wait({ moment: 'send', nth: 1, after: 0 });
  doom.happened('write');
  await clock.advance(1000);
  expect(ended).toBe(false);
  doom.happened('send');
  expect(kills).toBe(0);
});
