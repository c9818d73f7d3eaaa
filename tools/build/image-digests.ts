import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'undici';
import { z } from 'zod';
import { parseJson } from '../../src/kernel/json.ts';

/** Image by its parts: `docker.io/library/node:24-trixie-slim@sha256:…`. */
export interface ImageReference {
  readonly host: string;
  readonly name: string;
  readonly tag: string;
  readonly digest: string | undefined;
}

const pattern = /^([\w.-]+(?::\d+)?)\/([a-z0-9._/-]+):([\w.-]{1,128})(?:@(sha256:[0-9a-f]{64}))?$/;
const argument = /^ARG (BASE|BUILDER)=(\S+)$/gm;

/** Platforms that an image must have, because releases have them. */
const platforms = ['linux/amd64', 'linux/arm64'];

const indexTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
const indexSchema = z.object({
  manifests: z.array(z.object({ platform: z.object({ os: z.string(), architecture: z.string() }).optional() })),
});
const tokenSchema = z.union([z.object({ token: z.string() }), z.object({ access_token: z.string() })]);

const timeout = 30_000;
const maxReplyBytes = 4 * 1024 * 1024;

/** Parses the reference of an image, which names its registry and its tag. */
export function parseReference(text: string): ImageReference {
  const [, host, name, tag, digest] = pattern.exec(text) ?? [];
  if (host === undefined || name === undefined || tag === undefined) {
    throw new Error(`'${text}' is not REGISTRY/NAME:TAG or REGISTRY/NAME:TAG@sha256:DIGEST`);
  }
  return { host, name, tag, digest };
}

/** Formats a reference with a digest. */
function formatReference({ host, name, tag }: ImageReference, digest: string): string {
  return `${host}/${name}:${tag}@${digest}`;
}

/**
 * Returns the digest that the tag of an image has now, computed from the bytes of its index. An image for one platform is
 * an error: the builds for other platforms would fail.
 */
export async function findDigest(image: ImageReference): Promise<string> {
  const at = `${image.host}/${image.name}:${image.tag}`;
  const { status, headers, body } = await getManifest(image);
  if (status !== 200) throw new Error(`${at}: the registry responds with status ${status}`);
  const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
  const stated = header(headers, 'docker-content-digest') ?? digest;
  if (stated !== digest)
    throw new Error(`${at}: the registry states the digest ${stated}, but its reply has ${digest}`);
  verifyPlatforms(at, body.toString('utf8'));
  return digest;
}

function verifyPlatforms(at: string, text: string): void {
  const index = indexSchema.safeParse(parseJson(text));
  if (!index.success) throw new Error(`${at}: not an index of images for several platforms`);
  const present = index.data.manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`);
  const missing = platforms.find((platform) => !present.includes(platform));
  if (missing !== undefined) throw new Error(`${at}: no image for ${missing}`);
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

async function get(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const reply = await request(url, { headers, headersTimeout: timeout, bodyTimeout: timeout });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)?.length ?? 0;
    if (size > maxReplyBytes) throw new Error(`${url.host}: the reply is larger than ${maxReplyBytes} bytes`);
  }
  return { status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) };
}

function header(headers: Reply['headers'], name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Requests a manifest, with an anonymous token if the registry asks for one. */
async function getManifest(image: ImageReference, token?: string): Promise<Reply> {
  const url = new URL(`${registryUrl(image.host)}/v2/${image.name}/manifests/${image.tag}`);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const reply = await get(url, { accept: indexTypes.join(', '), ...authorization });
  if (reply.status !== 401 || token !== undefined) return reply;
  return getManifest(image, await requestToken(header(reply.headers, 'www-authenticate') ?? '', image));
}

async function requestToken(challenge: string, { host, name }: ImageReference): Promise<string> {
  const field = (key: string): string | undefined => new RegExp(`${key}="([^"]*)"`).exec(challenge)?.[1];
  const realm = field('realm');
  if (!/^bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm)) {
    throw new Error(`${host}: the registry requires a login`);
  }
  const url = new URL(realm);
  if (url.protocol !== 'https:' && !isLoopback(url.host)) throw new Error(`${host}: the token service has no TLS`);
  url.searchParams.set('service', field('service') ?? host);
  url.searchParams.set('scope', field('scope') ?? `repository:${name}:pull`);
  const { status, body } = await get(url);
  const found = tokenSchema.safeParse(status === 200 ? parseJson(body.toString('utf8')) : undefined);
  if (!found.success) throw new Error(`${host}: the token service responds with status ${status} and no token`);
  return 'token' in found.data ? found.data.token : found.data.access_token;
}

function registryUrl(host: string): string {
  if (host === 'docker.io') return 'https://registry-1.docker.io';
  return `${isLoopback(host) ? 'http' : 'https'}://${host}`;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host);
}

/** Returns a Dockerfile whose base images have their present digests, and a line for each that changed. */
export async function updateBaseImages(
  dockerfile: string,
): Promise<{ readonly text: string; readonly changes: readonly string[] }> {
  const found = [...dockerfile.matchAll(argument)].map(([line, , reference = '']) => ({ line, reference }));
  if (found.length !== 2) throw new Error('the Dockerfile has no lines ARG BASE=… and ARG BUILDER=…');
  let text = dockerfile;
  const changes: string[] = [];
  for (const { line, reference } of found) {
    const image = parseReference(reference);
    const next = formatReference(image, await findDigest(image));
    if (next === reference) continue;
    text = text.replace(line, line.replace(reference, next));
    changes.push(`${reference} -> ${next}`);
  }
  return { text, changes };
}

/** `npm run image-digests` writes the digests into the Dockerfile; with `--check`, it fails if one has changed. */
if (import.meta.main) {
  const file = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'Dockerfile';
  const { text, changes } = await updateBaseImages(readFileSync(file, 'utf8'));
  if (process.argv.includes('--check')) process.exitCode = changes.length === 0 ? 0 : 1;
  else writeFileSync(file, text);
  process.stdout.write([...changes, `${changes.length} base images changed`, ''].join('\n'));
}
