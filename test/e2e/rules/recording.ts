import { z } from 'zod';
import { collectors as all } from '../../../src/collect/all.ts';
import type { ScenarioName } from '../../../src/simulator/world/scenarios.ts';
import { readExposition } from '../../support/exposition.ts';
import { send } from '../../support/http.ts';
import { openStage, type Stage } from '../guard-stage.ts';

/** An alert that fires, as one engine tells of it. */
export interface Firing {
  readonly alert: string;
  readonly severity: string;
  /** What tells it from others. */
  readonly identity: Readonly<Record<string, string>>;
}

/** What graphwarden showed and what it alarmed of, scrape by scrape. */
export interface Recording {
  /** Seconds between two scrapes. */
  readonly every: number;
  /** When the first was, s since the epoch. */
  readonly start: number;
  /** Values by series, one for each scrape; undefined where the page is without it. */
  readonly series: ReadonlyMap<string, readonly (number | undefined)[]>;
  readonly firing: readonly (readonly Firing[])[];
}

const alertPage = z.object({
  items: z.array(
    z.object({ phase: z.string(), severity: z.string(), labels: z.record(z.string(), z.string()), rule: z.string() }),
  ),
});

/** All but the consistency checks, at their defaults. */
const collectors = Object.fromEntries(
  all.filter(({ defaults }) => defaults.enabled).map(({ name }) => [name, { enabled: true }]),
);

const runaway = {
  name: 'runaway',
  when: { age: '> 20s', granted_timeout: '> 5m' },
  confirm: { sightings: 2, apart: '4s' },
  grace: '5s',
  mode: 'enforce',
};

/** What is played: a scenario, for how many minutes, and scraped every so many seconds. */
export interface Play {
  readonly scenario: ScenarioName;
  readonly minutes: number;
  readonly every: number;
  /** How many nodes the cluster has; three. */
  readonly nodes?: number;
  /** How fast the scenario unfolds; as it is written. */
  readonly speed?: number;
  /** What is done before the first scrape. */
  readonly begin?: (stage: Stage) => void;
}

/** Plays a scenario under a clock that stands still while anybody works; only `families` are noted. */
export async function record(
  { scenario, minutes, every, nodes = 3, speed = 1, begin }: Play,
  families: ReadonlySet<string>,
): Promise<Recording> {
  const stage = await openStage({
    simulated: { nodes, scenario, speed },
    cluster: { labels: { env: 'live' } },
    guard: { mode: 'enforce', policies: [runaway] },
    collectors,
  });
  const start = stage.clock.now().wall / 1000;
  const scrapes = Math.floor((minutes * 60) / every);
  const series = new Map<string, (number | undefined)[]>();
  const firing: (readonly Firing[])[] = [];
  const { url } = stage.warden();
  try {
    begin?.(stage);
    for (let scrape = 0; scrape < scrapes; scrape += 1) {
      await stage.run(every * 1000);
      note(series, (await send(`${url}/metrics`)).text, { scrape, scrapes, families });
      firing.push(await firingAt(url));
    }
  } finally {
    await stage.stop();
  }
  return { every, start: start + every, series, firing };
}

function note(
  series: Map<string, (number | undefined)[]>,
  page: string,
  {
    scrape,
    scrapes,
    families,
  }: { readonly scrape: number; readonly scrapes: number; readonly families: ReadonlySet<string> },
): void {
  for (const { samples } of readExposition(page, 'text').values()) {
    for (const { name, labels, value } of samples) {
      if (!families.has(name) || name.startsWith('graphwarden_config_')) continue;
      // To Prometheus an empty label is none.
      const given = Object.entries(labels).filter(([, text]) => text !== '');
      const key = `${name}{${given.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(',')}}`;
      const values = series.get(key) ?? Array.from<undefined>({ length: scrapes });
      values[scrape] = value;
      series.set(key, values);
    }
  }
}

async function firingAt(url: string): Promise<readonly Firing[]> {
  const page = alertPage.parse(JSON.parse((await send(`${url}/api/v1/alerts?phase=firing&limit=1000`)).text));
  return page.items.map(({ severity, labels: { alertname = '', ...labels } }) => ({
    alert: alertname,
    severity,
    identity: Object.fromEntries(
      Object.entries(labels).filter(([label, value]) => label !== 'severity' && value !== ''),
    ),
  }));
}
