import { describe, expect, it } from 'vitest';
import type { BoundListener, Listen } from '../../src/kernel/listener.ts';
import { ToggleListener } from '../../src/simulator/toggle-listener.ts';

function listening(log: string[], fail = false): Listen {
  return async ({ port }): Promise<BoundListener> => {
    if (fail) throw new Error('the address is taken');
    const bound = port === 0 ? 40_000 : port;
    log.push(`open ${bound}`);
    return {
      host: '127.0.0.1',
      port: bound,
      async close(grace) {
        log.push(`close ${bound} after ${grace}`);
      },
    };
  };
}

const options = { host: '127.0.0.1', port: 0, handler: async () => ({ status: 200 }) };

describe('ToggleListener', () => {
  it('opens again on its first port', async () => {
    const log: string[] = [];
    const door = new ToggleListener(listening(log), options);
    expect(door.port).toBe(0);
    for (const open of [true, false, true]) await door.setOpen(open);
    expect(log).toEqual(['open 40000', 'close 40000 after 0', 'open 40000']);
    expect(door.port).toBe(40_000);
  });

  it('ignores a repeated change', async () => {
    const log: string[] = [];
    const door = new ToggleListener(listening(log), { ...options, port: 5_000 });
    for (const open of [false, true, true, false, false]) await door.setOpen(open);
    expect(log).toEqual(['open 5000', 'close 5000 after 0']);
  });

  it('applies changes in order, also concurrent ones', async () => {
    const log: string[] = [];
    const door = new ToggleListener(listening(log), options);
    await Promise.all([door.setOpen(true), door.setOpen(false), door.setOpen(true), door.setOpen(false)]);
    expect(log.map((line) => line.split(' ')[0])).toEqual(['open', 'close', 'open', 'close']);
  });

  it('rejects a failed change, and continues', async () => {
    const door = new ToggleListener(listening([], true), options);
    await expect(door.setOpen(true)).rejects.toThrow('the address is taken');
    await expect(door.setOpen(false)).resolves.toBeUndefined();
  });
});
