import type { OpenHttpPool } from '../../kernel/http.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Alert } from '../../model/alert.ts';
import type { Answer, Detail, Letter, Notifier, NotifierTraits } from '../notifier.ts';
import { excerpt, isPage, pathParts } from './excerpt.ts';
import { openHttpWay } from './http-way.ts';
import { judge, type Reading } from './judge.ts';
import { headline, isoTime, jsonOf } from './texts.ts';

/** What delivery has to know of Alertmanager: it forgets, and takes states alone. */
export const alertmanagerTraits: NotifierTraits = {
  batch: 256,
  spacing: 0,
  takesDigests: false,
  forgets: true,
};

/** For how long Alertmanager believes in an open alert without another word from us. */
const openFor: Millis = 15 * 60_000;

/** For how long a peer may be silent while others answer. */
const patience: Millis = 30_000;

/** How many bodies wait for a slow peer; all that is missing beyond is told again within a minute. */
const mostBehind = 4;

/** The body of `POST /api/v2/alerts`. */
export function formatAlertmanager(alerts: readonly Alert[], detail: Detail, now: number): string {
  return jsonOf(alerts.map((alert) => postable(alert, detail, now)));
}

function postable(alert: Alert, detail: Detail, now: number): Readonly<Record<string, unknown>> {
  const endsAt = alert.status === 'firing' ? now + openFor : Math.min(alert.endsAt ?? now, now);
  return {
    labels: Object.fromEntries(Object.entries(alert.labels).filter(([, value]) => value !== '')),
    annotations: annotationsOf(alert, detail),
    // An alert that ends before it begins is refused: our clock may have been set back meanwhile.
    startsAt: isoTime(Math.min(alert.startsAt, endsAt)),
    endsAt: isoTime(endsAt),
    ...(/^https?:\/\//.test(alert.generatorUrl) ? { generatorURL: alert.generatorUrl } : {}),
  };
}

function annotationsOf(alert: Alert, detail: Detail): Readonly<Record<string, string>> {
  const episode = String(alert.episode);
  if (detail === 'full') return { ...alert.annotations, episode };
  return detail === 'short' ? { summary: headline(alert, detail, 250), episode } : { episode };
}

function readingOf(url: string): Reading {
  return {
    accept: (reply) =>
      isPage(reply) ? { kind: 'broken', message: 'a page for browsers answered' } : { kind: 'accepted' },
    explain: (reply) => excerpt(reply, pathParts(url)),
  };
}

interface Peer {
  /** Nothing is under way to it; what has been for too long is given up. */
  isFree(now: number): boolean;
  post(body: string, now: number, signal: AbortSignal): Promise<Answer>;
  /** Gets this once what is under way has ended. */
  follow(body: string): void;
  close(): Promise<void>;
}

function openPeer(url: string, openPool: OpenHttpPool): Peer {
  const way = openHttpWay(openPool);
  let underWay: { readonly since: number; readonly end: AbortController } | undefined;
  let behind: readonly string[] = [];
  const post = (body: string, signal: AbortSignal) => way.post(`${url}/api/v2/alerts`, body, {}, signal);
  return {
    isFree(now) {
      if (underWay === undefined || Math.abs(now - underWay.since) < patience) return underWay === undefined;
      underWay.end.abort();
      underWay = undefined;
      return true;
    },
    async post(body, now, signal) {
      const own = { since: now, end: new AbortController() };
      [underWay, behind] = [own, []];
      const reply = await post(body, AbortSignal.any([signal, own.end.signal]));
      void catchUp(own);
      return judge(reply, now, readingOf(url));
    },
    follow(body) {
      behind = [...behind, body].slice(-mostBehind);
    },
    async close() {
      behind = [];
      underWay?.end.abort();
      await way.close();
    },
  };

  /** In order, so that an end never comes before its beginning. */
  async function catchUp(own: NonNullable<typeof underWay>): Promise<void> {
    while (underWay === own) {
      const [next, ...later] = behind;
      if (next === undefined) underWay = undefined;
      else {
        behind = later;
        await post(next, own.end.signal);
      }
    }
  }
}

/**
 * Posts to every peer; one success is enough. A peer that hangs is not waited for once another has accepted, and gets
 * what came meanwhile when it has answered.
 */
export function openAlertmanager(urls: readonly string[], openPool: OpenHttpPool): Notifier {
  const peers = urls.map((url) => openPeer(url, openPool));
  return {
    traits: alertmanagerTraits,
    async send(letter: Letter, detail, now, signal): Promise<Answer> {
      if (letter.kind !== 'alerts') return { kind: 'refused', message: 'takes alerts alone' };
      const body = formatAlertmanager(letter.alerts, detail, now);
      const free = peers.filter((peer) => peer.isFree(now));
      for (const peer of peers) if (!free.includes(peer)) peer.follow(body);
      const answers = await acceptedOrAll(free.map((peer) => peer.post(body, now, signal)));
      return withCulprits(together(answers), letter.alerts);
    },
    close: async () => void (await Promise.all(peers.map((peer) => peer.close()))),
  };
}

function acceptedOrAll(pending: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  return new Promise((resolve) => {
    for (const one of pending) void one.then((answer) => answer.kind === 'accepted' && resolve([answer]));
    void Promise.all(pending).then(resolve);
  });
}

/** What can be put right counts before what can be waited for, and that before what only people can repair. */
const order = ['accepted', 'refused', 'limited', 'unavailable', 'broken'] as const;

function together(answers: readonly Answer[]): Answer {
  const first = answers.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind))[0];
  return first ?? { kind: 'unavailable', answered: false, timedOut: false, message: 'no peer is free' };
}

/** Alertmanager keeps the good ones of a letter that it refuses, and does not say which were bad; some show. */
function withCulprits(answer: Answer, alerts: readonly Alert[]): Answer {
  if (answer.kind !== 'refused') return answer;
  const culprits = alerts.flatMap((alert, at) => (hasGoodLabels(alert) ? [] : [at]));
  return culprits.length === 0 ? answer : { ...answer, culprits };
}

function hasGoodLabels({ labels }: Alert): boolean {
  const names = Object.keys(labels).filter((name) => labels[name] !== '');
  return names.length > 0 && names.every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
}
