import type { Signer } from './signing.ts';

/** Where a release goes, and who signs it. */
export interface Target {
  /** Registry and namespace of the image and the chart. */
  readonly oci: string;
  /** Whether that registry has no TLS. */
  readonly isPlainHttp: boolean;
  /** Containerfile of the image. */
  readonly containerfile: string;
  /** Options of npm that name the registry. */
  readonly npmRegistry: readonly string[];
  /** Further options of `npm publish`. */
  readonly npmOptions: readonly string[];
  readonly signer: Signer;
}

/** A published image and chart: their names with their digests. */
export interface References {
  readonly image: string;
  readonly chart: string;
}

/** Platforms of the image. */
export const platforms = ['linux/amd64', 'linux/arm64'] as const;
