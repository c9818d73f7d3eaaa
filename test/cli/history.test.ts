import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../src/cli/command.ts';
import { type History, historyFlags, loadHistory } from '../../src/cli/history.ts';
import type { IncomingRequest } from '../../src/kernel/listener.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { StoreCondition } from '../../src/kernel/store.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { livePorts } from '../support/live-ports.ts';
import { fixedReply, serve } from '../support/served-listener.ts';

function wordHistory() {
  const requested: (readonly StoreCondition[])[] = [];
  const history: History<string> = {
    path: '/api/v1/words',
    item: z.string(),
    since: '1h',
    filters: [{ name: 'word', value: 'TEXT', about: 'only this word' }],
    columns: { word: 'text' },
    read: async (_, where) => {
      requested.push(where);
      return ok(['stored']);
    },
  };
  return { history, requested };
}

const load = (flags: Readonly<Record<string, string>>, ports = livePorts()) =>
  loadHistory(wordHistory().history, { flags, arguments: [] }, ports);

describe('options of a history', () => {
  it('are --since with its default, the filters, and where to read', () => {
    const flags = historyFlags(wordHistory().history, 'print words as JSON');
    expect(flags.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['since', 'word', 'json', 'url', 'state-dir']),
    );
    expect(flags[0]?.about).toContain('(default: 1h)');
  });
});

describe('history', () => {
  it('of a running daemon is requested with the filters, and has no duplicates', async () => {
    const page = { items: ['a', 'b', 'a'], total: 3, limit: 1000, offset: 0 };
    const requests: IncomingRequest[] = [];
    const reply = fixedReply({ body: JSON.stringify(page) });
    const { url } = await serve((request) => {
      requests.push(request);
      return reply(request);
    });
    expect(await load({ url, word: 'x', since: '2026-01-31T12:00:00Z' })).toEqual(ok(['a', 'b']));
    const [request] = requests;
    expect(request?.path).toBe('/api/v1/words');
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject({ word: 'x', since: '2026-01-31T12:00:00.000Z' });
  });

  it('of a stopped daemon is read from its state with the same filters', async () => {
    const { history, requested } = wordHistory();
    const ports = livePorts();
    const loadRuntime = async () => ({
      ...(await ports.loadRuntime()),
      openStoreReadOnly: async () => ok(memoryStore()),
    });
    const given = { flags: { 'state-dir': 'state', word: 'x', since: '2026-01-31T12:00:00Z' }, arguments: [] };
    expect(await loadHistory(history, given, { ...ports, loadRuntime })).toEqual(ok(['stored']));
    const [where = []] = requested;
    expect(JSON.stringify(where)).toContain('"text"');
    expect(JSON.stringify(where)).toContain(String(Date.parse('2026-01-31T12:00:00Z')));
  });

  it('of an unreadable state is an error', async () => {
    const ports = livePorts();
    const loadRuntime = async () => ({
      ...(await ports.loadRuntime()),
      openStoreReadOnly: async () => err('no state'),
    });
    expect(await load({ 'state-dir': 'state' }, { ...ports, loadRuntime })).toEqual(err('no state'));
  });

  it.each([
    [{ 'state-dir': 'a', url: 'http://localhost' }, '--state-dir and --url are mutually exclusive'],
    [{ since: 'yesterday' }, '--since'],
  ])('of %j is a usage error', async (flags, message) => {
    const failure: unknown = await load(flags).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(String(failure)).toContain(message);
  });
});
