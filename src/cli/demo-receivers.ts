import { rules } from '../alert/rules/all.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Output } from '../kernel/process.ts';
import { linesOf } from '../simulator/receivers/lines.ts';
import type { Manner } from '../simulator/receivers/manner.ts';
import { mannerWords, parseManner } from '../simulator/receivers/manner-words.ts';
import { newsOnly } from '../simulator/receivers/news.ts';
import type { FakeReceiver, ReceiverOptions, Receivers, ReceiversPorts } from '../simulator/receivers/receivers.ts';
import { WrongUse } from './command.ts';

/** Nobody watches a demonstration for as long as a real incident lasts before it is worth a page; what waits for what stays. */
const haste = 12;

/** One of each kind. The routes of {@link alertsOf} know them by name. */
const cast = [
  { name: 'am', kind: 'alertmanager' },
  { name: 'oncall', kind: 'pagerduty' },
  { name: 'chat', kind: 'slack' },
  { name: 'hook', kind: 'webhook' },
] as const satisfies readonly ReceiverOptions[];

/** For the help page: what `--trouble` understands. */
export const troubleDetails: string = [
  `Trouble, for ${cast.map(({ name }) => name).join(', ')}:`,
  ...mannerWords.map(([word, about]) => `  ${word.padEnd(16)} ${about}`),
].join('\n');

/** Reads `oncall=503,chat=hang`; throws {@link WrongUse} where it says something else. */
export function castWith(trouble: string | undefined): readonly ReceiverOptions[] {
  const manners = new Map(trouble?.split(',').map(mannerOf));
  return cast.map((one) => {
    const manner = manners.get(one.name);
    return manner === undefined ? one : { ...one, manner };
  });
}

function mannerOf(part: string): readonly [name: string, manner: Manner] {
  const [name = '', ...words] = part.split('=');
  if (!cast.some((one) => one.name === name)) {
    const names = cast.map((one) => one.name).join(', ');
    throw new WrongUse(`--trouble names '${name}', which is none of ${names}`);
  }
  const manner = parseManner(words.join('='));
  if (!manner.ok) throw new WrongUse(`--trouble ${name}: ${manner.error}`);
  return [name, manner.value];
}

/** Opens them; what they get is printed as it comes. */
export async function openCast(
  wanted: readonly ReceiverOptions[],
  ports: ReceiversPorts,
  out: Output,
): Promise<Receivers> {
  const { startReceivers } = await import('../simulator/receivers/receivers.ts');
  const newsIn = newsOnly();
  return startReceivers(wanted, ports, (letter) => {
    const news = newsIn(letter);
    for (const line of news === undefined ? [] : linesOf(news)) out.write(`${line}\n`);
  });
}

/** The routes of a small team: pages and a chat for what is critical, everything to where it can be looked at. */
export function alertsOf({ all }: Receivers): object {
  return {
    receivers: all.map(receiverOf),
    routes: [
      {
        match: { severity: 'critical' },
        receivers: ['oncall', 'chat'],
        group_by: ['alertname', 'cluster_name'],
        group_wait: '0s',
        repeat: '4h',
        fallback: 'hook',
        continue: true,
      },
      { receivers: ['am', 'hook'], group_by: ['cluster_name'], group_wait: '5s', repeat: '12h' },
    ],
    rules: Object.fromEntries(rules.map(({ name, hold }) => [name, { hold: formatDuration(hold / haste) }])),
  };
}

function receiverOf({ name, kind, url }: FakeReceiver): object {
  const ways = {
    alertmanager: { urls: [url] },
    pagerduty: { url, routing_key: 'simulated-routing-key-0000000000' },
    slack: { webhook_url: url },
    webhook: { url },
  } as const;
  return { name, [kind]: ways[kind], ...(kind === 'webhook' ? { heartbeat: true } : {}) };
}

/** How people find them, and change how they behave. */
export function castBanner({ all }: Receivers): readonly string[] {
  return [
    'The simulated receivers, what they get is printed below:',
    '',
    ...all.map(({ name, kind, mannerUrl }) => `  ${name.padEnd(7)}  ${kind.padEnd(12)}  curl -d 503 ${mannerUrl}`),
    '',
    `  Instead of 503: ${mannerWords.map(([word]) => word).join(', ')}.`,
    '',
  ];
}
