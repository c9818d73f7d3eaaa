import { dns } from './dns.ts';
import { openHttpPool } from './http-pool.ts';
import { lineFiles } from './line-files.ts';
import { listen } from './listener.ts';
import { openLogger } from './logger.ts';
import { sendMail } from './mail.ts';
import { cron, digest, systemRandom } from './platform.ts';

/** Ports that are slow to load and need no settings: one import for the commands that use the network. */
export const systemPorts = {
  random: systemRandom,
  dns: dns(),
  cron,
  digest,
  openPool: openHttpPool,
  sendMail,
  openLog: openLogger,
  lineFiles,
  listen,
} as const;
