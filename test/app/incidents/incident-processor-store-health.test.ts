import { describe, expect, it } from 'vitest';
import { StoreHealthLogger } from '../../../src/app/incidents/incident-log.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { recordingLogger } from '../../support/logger.ts';

function setUp(problem?: string) {
  const log = recordingLogger();
  const store = { ...memoryStore(), durable: problem === undefined, problem };
  const healthLogger = new StoreHealthLogger(store, log);
  const lines = () => log.lines.map(({ level, message, fields }) => [level, message, fields.error]);
  return { log, store, healthLogger, lines };
}

describe('store health', () => {
  it('is not logged for a healthy store', () => {
    const { healthLogger, lines } = setUp();
    healthLogger.report();
    expect(lines()).toEqual([]);
  });

  it('is logged once per problem, and when it recovers', () => {
    const { store, healthLogger, lines } = setUp('the disk is full');
    healthLogger.report();
    healthLogger.report('a batch was refused');
    store.problem = 'the folder is gone';
    healthLogger.report();
    healthLogger.report();
    store.problem = undefined;
    healthLogger.report();
    healthLogger.report();
    expect(lines()).toEqual([
      ['error', 'state store unavailable', 'the disk is full'],
      ['error', 'state store unavailable', 'the folder is gone'],
      ['info', 'state store recovered', undefined],
    ]);
  });

  it('logs a batch that a healthy store rejected, and whether the store is durable', () => {
    const { log, healthLogger, lines } = setUp();
    healthLogger.report('no such table');
    expect(lines()).toEqual([['error', 'state store write failed', 'no such table']]);
    expect(log.lines[0]?.fields.durable).toBe(true);
  });

  it('says that a durable store replaced a damaged database', () => {
    const { store, healthLogger, lines } = setUp("the file is damaged; it was moved to 'state.db.corrupt'");
    store.durable = true;
    healthLogger.report();
    expect(lines()).toEqual([['error', 'state database recreated', store.problem]]);
  });
});
