import { describe, expect, it } from 'vitest';
import { serverRelease } from '../../src/simulator/versions.ts';

describe('serverRelease', () => {
  it.each([
    ['3.9.0', { legacyPaths: true, descriptorLists: false, capacityMetrics: false, gsqlTokens: false }],
    ['3.9.2', { legacyPaths: true, descriptorLists: true, capacityMetrics: false, gsqlSecrets: false }],
    ['3.10.1', { legacyPaths: true, descriptorLists: true, capacityMetrics: false }],
    ['3.10.2', { legacyPaths: true, capacityMetrics: true, extendedMetrics: false }],
    ['4.0.1', { legacyPaths: false, capacityMetrics: true, gsqlTokens: false, gsqlSecrets: false }],
    ['4.1.0', { legacyPaths: false, gsqlTokens: false, gsqlSecrets: true }],
    ['4.1.2', { legacyPaths: false, gsqlTokens: true, extendedMetrics: false }],
    ['4.3.0', { legacyPaths: false, gsqlTokens: true, extendedMetrics: true }],
    ['10.0', { legacyPaths: false, gsqlTokens: true, extendedMetrics: true }],
  ])('has the features of %s', (version, expected) => {
    expect(serverRelease(version)).toMatchObject({ version, ...expected });
  });
});
