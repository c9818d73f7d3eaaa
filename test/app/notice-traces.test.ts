import { describe, expect, it } from 'vitest';
import { NoticeTraces } from '../../src/app/notice-traces.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Answer, Letter, Notifier } from '../../src/notify/notifier.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import { firing } from '../notify/delivering.ts';
import { patient } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { SpanBook } from '../support/span-book.ts';

const accepted: Answer = { kind: 'accepted', but: 'canary' };
const place = (alert: Alert) => {
  return {
    traceId: `${alert.key}${alert.episode}`.padStart(32, 'a'),
    spanId: `${alert.key}${alert.episode}`.padStart(16, 'b'),
  };
};

/** Traces of what a receiver is told that gives these answers, which sampling would leave out. */
function scene(...answers: readonly Answer[]) {
  const clock = new FakeClock();
  const book = new SpanBook(() => false);
  const traces = new NoticeTraces({ clock, random: seededRandom(1), spans: book, causes: (alert) => [place(alert)] });
  const script = [...answers];
  const asked: unknown[] = [];
  const told: Notifier = {
    traits: { batch: 1, spacing: 0, takesDigests: true, forgets: false },
    send: async (...given) => {
      asked.push(given);
      await clock.advance(25);
      return script.shift() ?? expect.fail('it was told too often');
    },
    close: async () => void asked.push('close'),
  };
  const notifier = traces.follow('oncall', told);
  const trigger = (alert: Alert, again = false) => traces.noticed({ kind: 'trigger', alert, again, to: [], due: 0 });
  const send = (letter: Letter) => notifier.send(letter, 'full', 7, patient());
  return { book, traces, told, notifier, asked, trigger, send };
}

const lettersOf = (...alerts: readonly Alert[]): Letter => ({ kind: 'alerts', group: {}, alerts, again: false });

describe('what a receiver is told', () => {
  it('is told as without a trace', async () => {
    const { notifier, told, asked, send } = scene(accepted);
    expect(notifier.traits).toBe(told.traits);
    const letter = lettersOf(firing('a'));
    expect(await send(letter)).toBe(accepted);
    expect(asked).toMatchObject([[letter, 'full', 7, expect.any(AbortSignal)]]);
    await notifier.close();
    expect(asked.at(-1)).toBe('close');
  });

  it('is a span that links to what each alert goes back to, none twice', async () => {
    const { book, trigger, send } = scene(accepted);
    trigger(firing('a'));
    trigger(firing('b'));
    await send(lettersOf(firing('a'), firing('b'), firing('a'), firing('c')));
    expect(book.spans).toMatchObject([{ name: 'notify oncall', links: [place(firing('a')), place(firing('b'))] }]);
    const [span = expect.fail()] = book.spans;
    expect(span.end - span.start).toBe(25);
    expect(span.attributes['graphwarden.rules']).toBe('rule');
    expect(JSON.stringify(book.spans)).not.toContain('canary');
    expect(JSON.stringify(book.spans)).not.toContain('is wrong');
  });

  it('is a span for each attempt, failed or not, also of digests', async () => {
    const broken: Answer = { kind: 'broken', message: 'canary' };
    const { book, trigger, send } = scene(broken, accepted);
    trigger(firing('a'));
    await send(lettersOf(firing('a')));
    const folded = [{ key: 'a', episode: 1, summary: 'canary', severity: 'info', startsAt: 0, endsAt: 1 }] as const;
    await send({ kind: 'digest', folded, count: 1, open: 0 });
    expect(
      book.spans.map(({ error, links, attributes }) => [error, links.length, attributes['graphwarden.letter']]),
    ).toEqual([
      ['broken', 1, 'alerts'],
      [undefined, 1, 'digest'],
    ]);
    expect(JSON.stringify(book.spans)).not.toContain('canary');
  });
});

describe('what an alert goes back to', () => {
  it('is what it was when it began, until its end is told; each episode has its own', async () => {
    const { book, traces, trigger, send } = scene(accepted, accepted);
    trigger(firing('a', 1));
    trigger(firing('a', 2));
    trigger(firing('c'), true);
    await send(lettersOf(firing('a', 2), firing('c')));
    expect(book.spans[0]?.links).toEqual([place(firing('a', 2))]);
    traces.noticed({ kind: 'resolve', alert: { ...firing('c'), status: 'resolved', endsAt: 1 }, due: 0 });
    await send(lettersOf(firing('c')));
    expect(book.spans[1]?.links).toEqual([place(firing('c'))]);
  });

  it('is not remembered for ever, nor all of it linked', async () => {
    const { book, trigger, send } = scene(accepted, accepted);
    for (let episode = 1; episode <= 1001; episode += 1) trigger(firing('a', episode));
    await send(lettersOf(firing('a', 1)));
    expect(book.spans[0]?.links).toEqual([]);
    await send(lettersOf(...Array.from({ length: 100 }, (_, at) => firing('a', at + 2))));
    expect(book.spans[1]?.links).toHaveLength(16);
  });
});
