import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findDigest, parseReference, updateBaseImages } from '../../../tools/build/image-digests.ts';
import {
  type SeenRequest,
  type StaticReply,
  type StaticRoutes,
  startStaticServer,
} from '../../support/static-server.ts';

const platforms = ['amd64', 'arm64', 's390x'];
const index = indexOf(platforms);

function indexOf(architectures: readonly string[]): string {
  return JSON.stringify({
    schemaVersion: 2,
    manifests: architectures.map((architecture) => ({ platform: { os: 'linux', architecture } })),
  });
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A registry on loopback. Returns its host, and the requests so far. */
async function registry(routes: StaticRoutes) {
  const { url, seen } = await startStaticServer(routes);
  const requests = () => seen.map(({ url: path, headers }) => `${path} ${headers.authorization ?? 'anonymous'}`);
  return { host: new URL(url).host, requests };
}

async function digestAt(answer: StaticReply): Promise<string> {
  const { host } = await registry({ 'GET /v2/library/node/manifests/24-slim': answer });
  return findDigest(parseReference(`${host}/library/node:24-slim`));
}

function challenged(challenge: string): StaticReply {
  return { status: 401, headers: { 'www-authenticate': challenge }, body: '' };
}

describe('the digests of base images', () => {
  it('are those of the index that the registry has now', async () => {
    const answer = ({ headers }: SeenRequest): StaticReply => ({
      headers: { 'docker-content-digest': digestOf(index) },
      body: String(headers.accept).includes('application/vnd.oci.image.index.v1+json') ? index : '{}',
    });
    const { host, requests } = await registry({ 'GET /v2/library/node/manifests/24-slim': answer });
    expect(await findDigest(parseReference(`${host}/library/node:24-slim`))).toBe(digestOf(index));
    expect(requests()).toEqual(['/v2/library/node/manifests/24-slim anonymous']);
  });

  it('are requested with an anonymous token if the registry requires one', async () => {
    const { host, requests } = await registry({
      'GET /token': { body: '{"token":"t"}' },
      'GET /v2/a/b/manifests/1': ({ headers }) =>
        headers.authorization === 'Bearer t'
          ? { body: index }
          : challenged(`Bearer realm="http://${headers.host}/token",service="r",scope="repository:a/b:pull"`),
    });
    expect(await findDigest(parseReference(`${host}/a/b:1`))).toBe(digestOf(index));
    expect(requests()).toEqual([
      '/v2/a/b/manifests/1 anonymous',
      '/token?service=r&scope=repository%3Aa%2Fb%3Apull anonymous',
      '/v2/a/b/manifests/1 Bearer t',
    ]);
  });

  it.each<[string, StaticReply, string]>([
    ['an unknown tag', { status: 404, body: '{}' }, 'the registry responds with status 404'],
    ['an image for one platform', { body: '{"config":{}}' }, 'not an index of images for several platforms'],
    ['a page', { body: '<html>' }, 'not an index of images for several platforms'],
    ['an index without arm64', { body: indexOf(['amd64']) }, 'no image for linux/arm64'],
    [
      'another digest than it states',
      { headers: { 'docker-content-digest': 'sha256:0' }, body: index },
      `the registry states the digest sha256:0, but its reply has ${digestOf(index)}`,
    ],
    ['too many bytes', { body: 'x'.repeat(5_000_000) }, 'the reply is larger than 4194304 bytes'],
    ['a login', challenged('Basic realm="x"'), 'the registry requires a login'],
    [
      'a token service without TLS',
      challenged('Bearer realm="http://192.0.2.1/token"'),
      'the token service has no TLS',
    ],
  ])('are an error if the registry has %s', async (_, answer, reason) => {
    await expect(digestAt(answer)).rejects.toThrow(reason);
  });

  it.each(['node', 'node:24', 'docker.io/library/node', 'docker.io/library/node:24@sha256:1', 'http://a/b:1'])(
    'need the name of a registry and a tag: %s',
    (text) => {
      expect(() => parseReference(text)).toThrow(`'${text}' is not REGISTRY/NAME:TAG or`);
    },
  );

  it('are written into the Dockerfile if they changed', async () => {
    let current = index;
    const answer = (): StaticReply => ({ body: current });
    const { host } = await registry({
      'GET /v2/base/manifests/nonroot': answer,
      'GET /v2/node/manifests/24': answer,
    });
    const lines = (digest: string) =>
      `ARG BASE=${host}/base:nonroot${digest}\n# text\nARG BUILDER=${host}/node:24${digest}\nFROM \${BUILDER}\n`;
    const first = await updateBaseImages(lines(''));
    expect(first.text).toBe(lines(`@${digestOf(index)}`));
    expect(first.changes).toHaveLength(2);
    expect(await updateBaseImages(first.text)).toEqual({ text: first.text, changes: [] });
    current = indexOf([...platforms, 'riscv64']);
    const later = await updateBaseImages(first.text);
    expect(later.text).toBe(lines(`@${digestOf(current)}`));
    expect(later.changes[0]).toBe(
      `${host}/base:nonroot@${digestOf(index)} -> ${host}/base:nonroot@${digestOf(current)}`,
    );
    await expect(updateBaseImages('FROM scratch\n')).rejects.toThrow('no lines ARG BASE=');
  });
});
