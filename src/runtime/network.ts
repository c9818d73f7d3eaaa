import { cron } from './cron.ts';
import { digest } from './digest.ts';
import { dns } from './dns.ts';
import { openHttpPool } from './http-pool.ts';
import { lineFiles } from './line-files.ts';
import { listen } from './listener.ts';
import { openLog } from './logger.ts';
import { sendMail } from './mail.ts';
import { systemRandom } from './random.ts';

/** What takes a moment to load and needs nothing to be told: one import for the commands that speak to the network. */
export const network = {
  random: systemRandom,
  dns: dns(),
  cron,
  digest,
  openPool: openHttpPool,
  sendMail,
  openLog,
  lineFiles,
  listen,
} as const;
