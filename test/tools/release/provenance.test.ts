import { expect, it } from 'vitest';
import { provenance } from '../../../tools/release/provenance.ts';

it('provenance › names the source, the workflow and its run', () => {
  const environment = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REF: 'refs/tags/v1.0.0',
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_ATTEMPT: '2',
  };
  const repository = 'https://github.com/graphwarden/graphwarden';
  expect(provenance(environment, 'abc')).toMatchObject({
    buildDefinition: {
      externalParameters: { workflow: { ref: 'refs/tags/v1.0.0', repository, path: '.github/workflows/release.yml' } },
      resolvedDependencies: [{ uri: `git+${repository}@refs/tags/v1.0.0`, digest: { gitCommit: 'abc' } }],
    },
    runDetails: {
      builder: { id: `${repository}/.github/workflows/release.yml@refs/tags/v1.0.0` },
      metadata: { invocationId: `${repository}/actions/runs/7/attempts/2` },
    },
  });
});

it('provenance › of a dry run does not claim to come from the workflow', () => {
  expect(provenance({}, 'abc').runDetails.builder.id).toMatch(/\/dry-run$/);
});
