import { z } from 'zod';
import type { Rule } from '../alert/rule.ts';
import type { Collector } from '../collect/collector.ts';
import { collectorsSection } from '../collect/settings.ts';
import { limitsSection } from '../expose/settings.ts';
import { clusterSection } from '../graphdb/settings.ts';
import { urlField } from '../graphdb/url-field.ts';
import { guardSection } from '../guard/section.ts';
import { tracingSection } from '../trace/tracing-section.ts';
import { trackerSection } from '../track/settings.ts';
import { alertsSection } from './alerts-section.ts';
import type { Config } from './config.ts';
import { listenField } from './listen-field.ts';
import { stateDirField, stateSection } from './state-section.ts';

const logSection = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).prefault('info').describe('Least severity that is written.'),
    format: z
      .enum(['json', 'pretty', 'auto'])
      .prefault('auto')
      .describe('`json` lines, `pretty` for people; `auto` is pretty on a terminal.'),
  })
  .prefault({})
  .describe('The log, written to standard error.');

/** The path of an address is compared with those of requests, decoded. */
function hasReadablePath(address: string): boolean {
  try {
    return decodeURIComponent(new URL(address).pathname) !== '';
  } catch {
    return false;
  }
}

/** The whole file: each part of the program contributes the section that it alone reads. */
export function configSchema(collectors: readonly Collector[], rules: readonly Rule[]) {
  return z
    .strictObject({
      listen: listenField
        .prefault('0.0.0.0:9916')
        .describe('Address to serve on: `host:port`, `:port` or `[::1]:port`.'),
      external_url: urlField('https://warden.example.org/')
        .refine(hasReadablePath, { error: 'has a path that is not correctly percent-encoded' })
        .optional()
        .describe('Our address in links; its path is the prefix of every route.'),
      web_config_file: z
        .string()
        .min(1)
        .optional()
        .describe('TLS, client certificates and users, in the format of the exporter-toolkit.')
        .meta({ examples: ['web.yml'] }),
      operators: z
        .array(z.string().min(1))
        .prefault([])
        .describe('Users of `web_config_file` who may act; empty: nobody may.'),
      state_dir: stateDirField.prefault('./state').describe('Folder of our own state, below the working directory.'),
      scope: z
        .enum(['all', 'node', 'cluster'])
        .prefault('all')
        .describe('`node`: only what belongs to one node (the sidecar); `cluster`: only what belongs to the cluster.'),
      log: logSection,
      clusters: z.array(clusterSection).min(1).describe('The clusters to watch.'),
      collectors: collectorsSection(collectors).prefault({}).describe('What is read, and how often.'),
      limits: limitsSection.prefault({}).describe('How much is kept and shown at most.'),
      state: stateSection.prefault({}).describe('What is remembered through restarts.'),
      tracker: trackerSection.describe('When a change of status counts.'),
      alerts: alertsSection(rules).describe('Who is told of what, and when.'),
      guard: guardSection.describe('Which queries are aborted.'),
      tracing: tracingSection.describe('What is sent to a trace backend, and where that is.'),
    })
    .transform(
      ({ external_url: externalUrl, web_config_file: webConfigFile, state_dir: stateDir, ...rest }): Config => ({
        ...rest,
        ...(externalUrl === undefined ? {} : { externalUrl }),
        ...(webConfigFile === undefined ? {} : { webConfigFile }),
        stateDir,
      }),
    );
}
