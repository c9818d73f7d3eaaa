import { useState } from 'preact/hooks';
import { Filter } from '../parts.tsx';
import type { SiteData } from '../site.ts';
import { GraphSizes } from './database/graph-sizes.tsx';
import { LoadingJobs } from './database/loading-jobs.tsx';
import { Probes } from './database/probes.tsx';
import { UnusableQueries } from './database/unusable-queries.tsx';

/** Contents of the servers. Each section is one file and one line here; those that may need attention come first. */
export function Database({ site }: { readonly site: SiteData }) {
  const [cluster, setCluster] = useState(site.parameters.get('cluster') ?? '');
  const names = (site.clusters.value ?? []).map(({ name }) => name);
  return (
    <>
      {names.length > 1 && (
        <div class="filters">
          <Filter name="Cluster" values={names} value={cluster} onChange={setCluster} />
        </div>
      )}
      <Probes site={site} cluster={cluster} />
      <LoadingJobs site={site} cluster={cluster} />
      <UnusableQueries site={site} cluster={cluster} />
      <GraphSizes site={site} cluster={cluster} />
    </>
  );
}
