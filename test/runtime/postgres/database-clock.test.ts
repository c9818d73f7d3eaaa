import { describe, expect, it } from 'vitest';
import { DatabaseOffset, databaseClock } from '../../../src/runtime/postgres/database-clock.ts';
import { FakeClock } from '../../support/clock.ts';

const hour = 3_600_000;

describe('the clock of the database', () => {
  it('shows the time of the database, and the monotonic time of the host', async () => {
    const clock = new FakeClock(0);
    const offset = new DatabaseOffset();
    offset.apply(hour + 50, 0, 100);
    await clock.advance(10);
    expect(databaseClock(clock, offset).now()).toEqual({ wall: hour + 10, mono: 10 });
  });

  it('does not follow differences that the request itself may have caused', () => {
    const offset = new DatabaseOffset();
    offset.apply(50, 0, 0);
    offset.apply(1050, 0, 2000);
    offset.apply(2050, 0, 2000);
    expect(offset.offset).toBe(0);
    offset.apply(-hour, 0, 0);
    offset.apply(-hour + 50, 0, 0);
    expect(offset.offset).toBe(-hour);
  });

  it('follows a fast answer after a slow one', () => {
    const offset = new DatabaseOffset();
    offset.apply(hour + 900, 0, 2000);
    expect(offset.offset).toBe(hour - 100);
    offset.apply(hour + 2010, 2000, 2004);
    expect(offset.offset).toBe(hour + 8);
  });

  it('sleeps and yields as the clock of the host', async () => {
    const clock = new FakeClock();
    const shown = databaseClock(clock, new DatabaseOffset());
    let isAwake = false;
    void shown.sleep(5).finally(() => {
      isAwake = true;
    });
    await clock.advance(5);
    await shown.yieldToEventLoop();
    expect(isAwake).toBe(true);
  });
});
