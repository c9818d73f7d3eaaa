/** Differences of a server release that a monitor can observe. */
export interface ServerRelease {
  /** `4.1.2`. */
  readonly version: string;
  /** 3.x: no `/restpp` prefix, `/gsqlserver/gsql` instead of `/gsql/v1`, `/requesttoken`, TS3 services. */
  readonly legacyPaths: boolean;
  /** From 3.9.2 the cpu-memory filter takes a list of descriptors. */
  readonly descriptorLists: boolean;
  /** From 3.10.2 total and available capacity are reported. */
  readonly capacityMetrics: boolean;
  /** From 4.1.2 the GSQL server accepts a JWT. */
  readonly gsqlTokens: boolean;
  /** From 4.1 the GSQL server accepts `Authorization: GSQL-Secret`. */
  readonly gsqlSecrets: boolean;
  /** From 4.3 the informant also reports disk I/O, the licence and the endpoints. */
  readonly extendedMetrics: boolean;
}

/** Returns the properties of a release. Missing parts of the version number count as 0. */
export function serverRelease(version: string): ServerRelease {
  return {
    version,
    legacyPaths: !atLeast(version, '4.0.0'),
    descriptorLists: atLeast(version, '3.9.2'),
    capacityMetrics: atLeast(version, '3.10.2'),
    gsqlTokens: atLeast(version, '4.1.2'),
    gsqlSecrets: atLeast(version, '4.1.0'),
    extendedMetrics: atLeast(version, '4.3.0'),
  };
}

function atLeast(version: string, wanted: string): boolean {
  const have = version.split('.').map(Number);
  const need = wanted.split('.').map(Number);
  const differing = need.findIndex((part, index) => (have[index] ?? 0) !== part);
  return differing === -1 || (have[differing] ?? 0) > (need[differing] ?? 0);
}
