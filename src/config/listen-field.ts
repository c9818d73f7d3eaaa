import { z } from 'zod';

/** `host:port`, `:9916` for every interface, or `[::1]:9916`; port 0 takes a free one. */
export const listenField = z
  .string()
  .transform((text, context) => {
    const [, six, four, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text) ?? [];
    if (port !== undefined && Number(port) <= 65535) return { host: six ?? (four || '0.0.0.0'), port: Number(port) };
    context.issues.push({
      code: 'custom',
      message: 'must be host:port, :port or [address]:port, with a port up to 65535',
      input: '',
    });
    return z.NEVER;
  })
  .meta({ examples: ['127.0.0.1:9916'] });
