import type { Config } from '../config/config.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { Planned } from './plan.ts';
import type { Site } from './site.ts';
import type { Watch } from './watch.ts';

/** What a probe is to read. */
export interface Target {
  readonly watch: Watch;
  readonly places: readonly { readonly planned: Planned; readonly node: string }[];
}

/** Reads the query of a probe. Only what is configured may be asked; the error is a sentence. */
export function targetOf(query: URLSearchParams, site: Site): Result<Target, string> {
  const name = query.get('target');
  if (name === null || name === '') return err('The parameter target is missing: write CLUSTER or CLUSTER/NODE.');
  const found = find(name, site.watches());
  if (found === undefined) return err(`'${name}' is not a configured cluster or node.`);
  const named = query.getAll('collector').flatMap((text) => text.split(',').map((one) => one.trim()));
  const planned = named.length === 0 ? ok(usual(found.watch, found.node)) : pick(named, site);
  if (!planned.ok) return planned;
  const nodes = found.node === '' ? found.watch.nodes().map((member) => member.settings.name) : [found.node];
  const places = planned.value.flatMap((one) => {
    const whole = one.collector.scope === 'cluster' && found.node === '';
    return (whole ? [''] : nodes).map((node) => ({ planned: one, node }));
  });
  return ok({ watch: found.watch, places });
}

function find(name: string, watches: readonly Watch[]): { readonly watch: Watch; readonly node: string } | undefined {
  const whole = watches.find((watch) => watch.settings.name === name);
  if (whole !== undefined) return { watch: whole, node: '' };
  for (const watch of watches) {
    const node = watch.nodes().find((member) => `${watch.settings.name}/${member.settings.name}` === name);
    if (node !== undefined) return { watch, node: node.settings.name };
  }
  return undefined;
}

/** What runs by interval anyway; of a single node only what is about that node. */
function usual(watch: Watch, node: string): readonly Planned[] {
  return watch.planned.filter(
    ({ collector, settings }) => settings.cron === undefined && (node === '' || collector.scope === 'node'),
  );
}

function pick(names: readonly string[], site: Site): Result<readonly Planned[], string> {
  const planned: Planned[] = [];
  for (const name of new Set(names)) {
    const one = pickOne(name, site.config(), site);
    if (!one.ok) return one;
    planned.push(one.value);
  }
  return ok(planned);
}

function pickOne(name: string, config: Config, { parts }: Site): Result<Planned, string> {
  const collector = parts.collectors.find((one) => one.name === name);
  const settings = Object.hasOwn(config.collectors, name) ? config.collectors[name] : undefined;
  if (collector === undefined || settings === undefined) return err(`There is no collector '${name}'.`);
  // A scraper may not start what is so heavy that the operator has to allow it.
  const forbidden = !settings.enabled && settings.cron !== undefined;
  return forbidden ? err(`The collector '${name}' is heavy, and not enabled.`) : ok({ collector, settings });
}
