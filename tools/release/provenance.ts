/** Address of the source code. */
export const repository = 'https://github.com/graphwarden/graphwarden';

/**
 * SLSA provenance of a build by the release workflow: which source was built, by which run of which workflow. Without the
 * environment of a workflow, that of a dry run on this machine.
 */
export function provenance(environment: NodeJS.ProcessEnv, commit: string) {
  const {
    GITHUB_REF: ref = 'refs/heads/main',
    GITHUB_RUN_ID: run = '0',
    GITHUB_RUN_ATTEMPT: attempt = '1',
  } = environment;
  const isWorkflow = environment.GITHUB_ACTIONS === 'true';
  const path = '.github/workflows/release.yml';
  return {
    buildDefinition: {
      buildType: 'https://actions.github.io/buildtypes/workflow/v1',
      externalParameters: { workflow: { ref, repository, path } },
      resolvedDependencies: [{ uri: `git+${repository}@${ref}`, digest: { gitCommit: commit } }],
    },
    runDetails: {
      builder: { id: isWorkflow ? `${repository}/${path}@${ref}` : `${repository}/dry-run` },
      metadata: { invocationId: `${repository}/actions/runs/${run}/attempts/${attempt}` },
    },
  };
}
