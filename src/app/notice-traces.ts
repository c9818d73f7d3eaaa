import type { Random } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';
import type { Alert, Notice } from '../model/alert.ts';
import type { SpanPlace, SpanSink } from '../model/span.ts';
import type { Letter, Notifier } from '../notify/notifier.ts';
import { noticeSpan } from '../trace/notice-span.ts';
import { rootPlace } from '../trace/span-place.ts';

/** What notices are traced with. */
interface NoticeContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: SpanSink;
  /** The cycles that an alert goes back to, as of now. */
  readonly causes: (alert: Alert) => readonly SpanPlace[];
}

/** What is owed to a receiver that is away for long must not be remembered for ever. */
const mostRemembered = 1000;

/** A trace has no use for more. */
const mostLinks = 16;

/** Traces what receivers are told, and remembers what it came from until then. */
export class NoticeTraces {
  readonly #context: NoticeContext;
  readonly #causes = new Map<string, readonly SpanPlace[]>();

  constructor(context: NoticeContext) {
    this.#context = context;
  }

  /** Something is to be told: what it goes back to is known now, and may not be when it is told. */
  noticed(notice: Notice): void {
    if (notice.kind === 'trigger' && notice.again) return;
    const key = keyOf(notice.alert);
    this.#causes.delete(key);
    this.#causes.set(key, this.#context.causes(notice.alert));
    const [oldest = ''] = this.#causes.keys();
    if (this.#causes.size > mostRemembered) this.#causes.delete(oldest);
  }

  /** The same notifier, every attempt of which is traced. */
  follow(receiver: string, notifier: Notifier): Notifier {
    const { clock, random, spans } = this.#context;
    return {
      traits: notifier.traits,
      close: () => notifier.close(),
      send: async (letter, detail, now, signal) => {
        const started = clock.now();
        const answer = await notifier.send(letter, detail, now, signal);
        const about = { receiver, letter: letter.kind, rules: rulesOf(letter), links: this.#linksOf(letter) };
        const times = { started, ended: clock.now() };
        spans.take(noticeSpan({ place: rootPlace(random), ...about, ...times, outcome: answer.kind }));
        return answer;
      },
    };
  }

  #linksOf(letter: Letter): readonly SpanPlace[] {
    const all = episodesOf(letter).flatMap((one) => this.#causes.get(keyOf(one)) ?? []);
    return [...new Map(all.map((place) => [place.spanId, place])).values()].slice(0, mostLinks);
  }
}

function episodesOf(letter: Letter): readonly Pick<Alert, 'key' | 'episode'>[] {
  return letter.kind === 'alerts' ? letter.alerts : letter.folded;
}

function rulesOf(letter: Letter): readonly string[] {
  const alerts = letter.kind === 'alerts' ? letter.alerts : [];
  return [...new Set(alerts.map(({ rule }) => rule))].toSorted();
}

function keyOf({ key, episode }: Pick<Alert, 'key' | 'episode'>): string {
  return `${key}/${episode}`;
}
