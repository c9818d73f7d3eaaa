import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { product } from './artifacts.ts';
import { repository } from './provenance.ts';
import { run, tool } from './run.ts';

/** Signs and verifies references of a registry, and files, with cosign. */
export interface Signer {
  /** Signs a reference, and attaches the provenance in the file `predicate`. */
  readonly sign: (reference: string, predicate: string) => void;
  readonly verify: (reference: string) => void;
  /** Signs a file, and writes the signature and the provenance to files next to it. */
  readonly signFile: (file: string, predicate: string) => void;
  readonly verifyFile: (file: string) => void;
}

interface SignerOptions {
  readonly sign: readonly string[];
  readonly verify: readonly string[];
  /** Options of commands that use a registry. */
  readonly registry: readonly string[];
}

const type = ['--type', 'slsaprovenance1'];

function cosign(...args: readonly string[]): void {
  run(tool('cosign'), args, { COSIGN_PASSWORD: '' });
}

/** Files of the signature and of the provenance of a file. */
function bundles(file: string): readonly [string, string] {
  return [`${file}.sigstore.json`, `${file}.provenance.sigstore.json`];
}

function signer({ sign, verify, registry }: SignerOptions): Signer {
  return {
    sign: (reference, predicate) => {
      cosign('sign', '--yes', ...sign, ...registry, reference);
      cosign('attest', '--yes', ...type, '--predicate', predicate, ...sign, ...registry, reference);
    },
    verify: (reference) => {
      cosign('verify', ...verify, ...registry, reference);
      cosign('verify-attestation', ...type, ...verify, ...registry, reference);
    },
    signFile: (file, predicate) => {
      const [signature, provenance] = bundles(file);
      cosign('sign-blob', '--yes', ...sign, '--bundle', signature, file);
      cosign('attest-blob', '--yes', ...type, '--predicate', predicate, ...sign, '--bundle', provenance, file);
    },
    verifyFile: (file) => {
      const [signature, provenance] = bundles(file);
      cosign('verify-blob', ...verify, '--bundle', signature, file);
      cosign('verify-blob-attestation', ...type, ...verify, '--bundle', provenance, file);
    },
  };
}

/** Signs with the identity of the release workflow, which the public transparency log records. */
export function workflowSigner(): Signer {
  const identity = `${repository}/.github/workflows/release.yml@refs/tags/v${product.version}`;
  const issuer = 'https://token.actions.githubusercontent.com';
  const verify = ['--certificate-identity', identity, '--certificate-oidc-issuer', issuer];
  return signer({ sign: [], verify, registry: [] });
}

/** Signs with a new key pair in `folder`, without any service, for registries on this machine. */
export function localSigner(folder: string): Signer {
  const prefix = join(folder, 'cosign');
  const config = join(folder, 'signing-config.json');
  const root = join(folder, 'trusted-root.json');
  // Neither names a service.
  const media = 'application/vnd.dev.sigstore';
  const services = { mediaType: `${media}.signingconfig.v0.2+json`, rekorTlogConfig: {}, tsaConfig: {} };
  writeFileSync(config, JSON.stringify(services));
  writeFileSync(root, JSON.stringify({ mediaType: `${media}.trustedroot+json;version=0.1` }));
  cosign('generate-key-pair', '--output-key-prefix', prefix);
  return signer({
    sign: ['--key', `${prefix}.key`, '--signing-config', config, '--trusted-root', root],
    verify: ['--key', `${prefix}.pub`, '--insecure-ignore-tlog=true', '--trusted-root', root],
    registry: ['--allow-http-registry'],
  });
}

/** Signs and verifies nothing. */
export const noSigner: Signer = {
  sign: () => undefined,
  verify: () => undefined,
  signFile: () => undefined,
  verifyFile: () => undefined,
};
