import { z } from 'zod';
import type { WebAccess } from './config.ts';

const users = z.array(z.string().min(1)).prefault([]);

const networks = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const network = z.string().refine((text) => networks.safeParse(text).success, {
  error: 'must be an IP address, or a network such as 10.0.0.0/24',
});

const hostName = z.string().regex(/^(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/, {
  error: 'must be a host name without a port; *.example.org stands for all names below example.org',
});

const origin = /^(https?):\/\/(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?\/?$/;

/** URL of a listener. As in `listen`, an IPv4 address may also have brackets, because a pod can have either version. */
const advertisedUrl = z
  .string()
  .max(2048)
  .transform((text, context): string => {
    const [, scheme = '', address, name = '', port] = origin.exec(text) ?? [];
    const host = address?.includes(':') === true ? `[${address}]` : (address ?? name);
    const url = `${scheme}://${host}${port === undefined ? '' : `:${port}`}`;
    if (URL.canParse(url)) return url;
    context.issues.push({ code: 'custom', message: 'must be http://HOST:PORT or https://HOST:PORT', input: '' });
    return z.NEVER;
  });

const webSection = z
  .strictObject({
    trusted_proxies: z
      .array(network)
      .prefault([])
      .describe(
        'Addresses and networks of reverse proxies that authenticate users. Every process at these addresses can act as any user.',
      )
      .meta({ examples: [['10.0.0.5']] }),
    user_header: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, { error: 'must be the name of a header' })
      .prefault('X-Forwarded-User')
      .describe(
        'Header in which a trusted proxy names the user. The proxy must remove it from the requests of its clients.',
      ),
    allowed_hosts: z
      .array(hostName)
      .prefault([])
      .describe(
        'Host names that requests may have in `Host`, in addition to IP addresses, `localhost`, the name of the host and the names in `listen` and `external_url`.',
      )
      .meta({ examples: [['warden.example.org']] }),
    advertise_url: advertisedUrl
      .optional()
      .describe(
        'Address at which other replicas reach this one, with `state_url`. Use the address of the listener itself, not of a load balancer, without a path. For a pod, write `[${POD_IP}]`, with IPv4 as well as IPv6. Default: the address in `listen`, or the host name if that address stands for all interfaces.',
      )
      .meta({ examples: ['http://10.0.0.7:9916'] }),
    max_connections: z
      .int()
      .min(32)
      .max(100_000)
      .prefault(512)
      .describe(
        'Maximum number of connections of the HTTP API. At the limit, the connection that has been idle for the longest time is closed.',
      ),
  })
  .transform(
    (given): WebAccess => ({
      trustedProxies: given.trusted_proxies,
      userHeader: given.user_header,
      allowedHosts: given.allowed_hosts.map((name) => name.toLowerCase()),
      maxConnections: given.max_connections,
      ...(given.advertise_url !== undefined && { advertiseUrl: given.advertise_url }),
    }),
  )
  .prefault({})
  .describe('Reverse proxies, host names and connections of the HTTP API.');

/** Keys of the configuration file that state who may use the HTTP API, and how. */
export const accessFields = {
  operators: users.describe(
    'Users of `web_config_file`, or of a trusted proxy, that may run operator actions. Empty: operator actions are refused over TCP.',
  ),
  readers: users.describe(
    'Users that may read, in addition to `operators`. If empty, every client that the listener admits may read, except users in `scrapers`.',
  ),
  scrapers: users.describe('Users that may request `/metrics` and `/probe` only.'),
  web: webSection,
};
