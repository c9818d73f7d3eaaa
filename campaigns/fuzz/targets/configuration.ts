import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../src/config/config.ts';
import { copyConfig, loadKeptConfig } from '../../../src/config/kept-config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { restrictConfig } from '../../../src/config/rejected-config.ts';
import { readWebConfig } from '../../../src/config/web-config-file.ts';
import { effectiveMode } from '../../../src/guard/policy.ts';
import { deepEqual } from '../../../src/kernel/deep-equal.ts';
import { type FuzzResult, type FuzzTarget, toBytes } from '../target.ts';

const folder = join(import.meta.dirname, '../../../test/config');
const environment = { CLUSTER: 'prod', GRAPH_HOST: 'graph.example.org', GRAPH_TOKEN: 'token' };
const file = 'graphwarden.yml';

function corpus(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((one) => one.endsWith('.yml'))
      .map((one) => readFileSync(join(folder, name, one), 'latin1')),
  );
}

/** Configuration in force while a mutated one is rejected: its policies enforce. */
function enforcingConfig(): Config {
  const text = readFileSync(join(folder, 'corpus/good/guard.yml'), 'utf8');
  const loaded = loadConfig(text, file, environment);
  if (!loaded.ok) throw new Error('the configuration of the corpus is rejected');
  const { guard } = loaded.value;
  const policies = guard.policies.map((policy) => ({ ...policy, mode: 'enforce' as const }));
  return { ...loaded.value, guard: { ...guard, mode: 'enforce', policies } };
}

function enforcing({ guard }: Config): readonly string[] {
  return guard.policies.filter((policy) => effectiveMode(guard, policy) === 'enforce').map(({ name }) => name);
}

/** Checks that a rejected file never extends the guard, and that the kept copy of an accepted file has the same configuration. */
function check(text: string, accepted: Config): FuzzResult {
  const loaded = loadConfig(text, file, environment);
  if (loaded.ok) {
    const kept = loadKeptConfig(copyConfig(text, file, loaded.value), file, environment);
    if (!kept.ok) throw new Error(`the copy of an accepted configuration is rejected: ${JSON.stringify(kept.error)}`);
    const isSame = kept.value.omitted.length > 0 || deepEqual(kept.value.config.guard, loaded.value.guard);
    if (!isSame) throw new Error('the copy of an accepted configuration has another guard');
    return { outcome: 'accepted', counts: { accepted: 1 } };
  }
  const restricted = restrictConfig(accepted, { text, problems: loaded.error, since: 0 }, environment);
  const before = new Set(enforcing(accepted));
  if (enforcing(restricted).some((name) => !before.has(name))) throw new Error('a rejected file adds a policy');
  if (!accepted.guard.protect.every((one) => restricted.guard.protect.some((other) => deepEqual(one, other)))) {
    throw new Error('a rejected file removes a protected query');
  }
  const isPaused = restricted.rejection?.isGuardUnreadable === true;
  const state = isPaused ? 'paused' : `enforces ${enforcing(restricted).length} of ${restricted.guard.policies.length}`;
  const first = loaded.error[0]?.message.slice(0, 40) ?? '';
  return { outcome: `${state}: ${first}`, counts: { rejected: 1, paused: isPaused ? 1 : 0 } };
}

/** Readers of the configuration file, of its copy and of the web config file. */
export const configurationTargets: readonly FuzzTarget[] = [
  {
    name: 'config',
    about: 'Configuration files, also as rejected files that restrict the guard.',
    seeds: () => corpus('corpus/good', 'corpus/bad'),
    open: async () => {
      const accepted = enforcingConfig();
      return { run: async (input) => check(toBytes(input).toString('utf8'), accepted) };
    },
  },
  {
    name: 'kept-config',
    about: 'Copies of the last accepted configuration.',
    seeds: () =>
      corpus('corpus/good').flatMap((input) => {
        const text = toBytes(input).toString('utf8');
        const loaded = loadConfig(text, file, environment);
        return loaded.ok ? [Buffer.from(copyConfig(text, file, loaded.value)).toString('latin1')] : [];
      }),
    open: async () => ({
      run: async (input) => {
        const kept = loadKeptConfig(toBytes(input).toString('utf8'), file, environment);
        return { outcome: kept.ok ? 'loaded' : (kept.error[0]?.message.slice(0, 40) ?? '') };
      },
    }),
  },
  {
    name: 'web-config',
    about: 'Web config files.',
    seeds: () => corpus(...readdirSync(join(folder, 'web-corpus')).map((name) => `web-corpus/${name}`)),
    open: async () => ({
      run: async (input) => {
        const read = readWebConfig(toBytes(input).toString('utf8'), 'web.yml');
        return { outcome: read.ok ? 'accepted' : (read.error[0]?.message.slice(0, 40) ?? '') };
      },
    }),
  },
];
