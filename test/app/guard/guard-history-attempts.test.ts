import { describe, expect, it } from 'vitest';
import { queryAborted } from '../../../src/alert/rules/query-aborted.ts';
import { GuardHistory } from '../../../src/app/guard/guard-history.ts';
import type { GuardOutput, Intent } from '../../../src/guard/decision/output.ts';
import { initialState } from '../../../src/guard/decision/state.ts';
import { guarded } from '../../alert/rules/guard-fixtures.ts';
import { at, epoch } from '../../guard/observations.ts';
import { storedAbort } from '../../guard/storage/stored-aborts.ts';

const intent: Intent = storedAbort(1, { node: 'n1', policy: 'runaway' });
const about = { policy: 'runaway', node: 'n1', id: '7', graph: 'fraud' };

function historyOf(outputs: readonly GuardOutput[]): GuardHistory {
  const history = new GuardHistory('prod');
  for (const output of outputs) history.record(output, at(0));
  return history;
}

describe('attempts on one query', () => {
  const retry = (key: string, ms: number): GuardOutput => ({
    kind: 'intent',
    intent: { ...intent, key, at: epoch + ms },
    notify: ['oncall'],
  });
  const notSent = (key: string, ms: number): GuardOutput => ({
    kind: 'outcome',
    ...about,
    key,
    outcome: 'not_sent',
    pages: false,
    at: epoch + ms,
  });

  it('are one abort for the alert rules, with the time of the first, until a request is sent', () => {
    const history = historyOf([
      retry('a', 0),
      notSent('a', 10),
      retry('b', 1000),
      notSent('b', 1010),
      retry('c', 3000),
    ]);
    expect(history.view(at(4000)).aborts).toMatchObject([{ key: 'c', at: epoch + 3000, firstAt: epoch }]);
    history.record(
      { kind: 'outcome', ...about, key: 'c', outcome: 'confirmed', pages: false, at: epoch + 5000 },
      at(5000),
    );
    history.record(retry('d', 6000), at(6000));
    expect(history.view(at(7000)).aborts.map(({ key, firstAt }) => [key, firstAt])).toEqual([
      ['c', epoch],
      ['d', undefined],
    ]);
    expect(history.decisions(initialState(), at(7000))).toHaveLength(4);
  });

  it('are one alert, so that receivers are notified once', () => {
    const history = historyOf([]);
    const labels = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      history.record(retry(`k${count}`, count * 2000), at(count * 2000));
      const all = [
        ...queryAborted.evaluate(guarded(history.view(at(count * 2000))), { shown_for: 300 }, at(count * 2000)),
      ];
      expect(all).toHaveLength(1);
      for (const one of all) labels.add(JSON.stringify(one.labels));
      history.record(notSent(`k${count}`, count * 2000 + 10), at(count * 2000 + 10));
    }
    expect(labels.size).toBe(1);
  });
});
