import { describe, expect, it } from 'vitest';
import { StoreWatch } from '../../src/app/store-watch.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import { recordingLogger } from '../support/logger.ts';

function setUp(trouble?: string) {
  const log = recordingLogger();
  const store = { ...memoryStore(), durable: trouble === undefined, trouble };
  const watch = new StoreWatch(store, log);
  const lines = () => log.lines.map(({ level, message, fields }) => [level, message, fields.reason]);
  return { log, store, watch, lines };
}

describe('the watch over the store', () => {
  it('has nothing to say of one that is well', () => {
    const { watch, lines } = setUp();
    watch.note();
    expect(lines()).toEqual([]);
  });

  it('says what is wrong once, again when it is something else, and when it is over', () => {
    const { store, watch, lines } = setUp('the disk is full');
    watch.note();
    watch.note('a batch was refused');
    store.trouble = 'the folder is gone';
    watch.note();
    watch.note();
    store.trouble = undefined;
    watch.note();
    watch.note();
    expect(lines()).toEqual([
      ['error', 'there is trouble with the state', 'the disk is full'],
      ['error', 'there is trouble with the state', 'the folder is gone'],
      ['info', 'what happens is stored again', undefined],
    ]);
  });

  it('tells of a batch that a healthy store refused, and whether others are kept', () => {
    const { log, watch, lines } = setUp();
    watch.note('no such table');
    expect(lines()).toEqual([['error', 'there is trouble with the state', 'no such table']]);
    expect(log.lines[0]?.fields.durable).toBe(true);
  });
});
