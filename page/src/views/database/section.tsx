import type { ComponentChildren } from 'preact';
import type { CollectorReport } from '../../../../src/api/clusters.ts';
import type { Loaded } from '../../data.ts';
import { LoadState } from '../../load-state.tsx';
import { Elapsed } from '../../parts.tsx';
import type { SiteData } from '../../site.ts';
import { CollectorState } from '../collectors.tsx';

/** Properties of every section of the view. */
export interface SectionProps {
  readonly site: SiteData;
  /** Shows one cluster; `''` shows all. */
  readonly cluster: string;
}

/** Returns the items of the cluster that is shown. */
export function ofCluster<Item extends { readonly cluster: string }>(
  items: readonly Item[] | undefined,
  cluster: string,
): readonly Item[] {
  return (items ?? []).filter((item) => cluster === '' || item.cluster === cluster);
}

interface FrameProps extends SectionProps {
  readonly title: string;
  /** Collector that polls the data of the section. */
  readonly collector: string;
  readonly loaded: Loaded<unknown>;
  /** Shown while the last poll of at least one cluster succeeded: an empty list of a failed poll does not mean that there is nothing. */
  readonly children: ComponentChildren;
}

/** Section of the view, with the state of its collector: without a poll, the state is unknown, not healthy. */
export function SectionFrame({ title, collector, loaded, site, cluster, children }: FrameProps) {
  const polls = ofCluster(site.collectors.value, cluster).filter((one) => one.collector === collector);
  const isKnown = polls.some(({ state }) => state === 'healthy');
  return (
    <section>
      <h2>{title}</h2>
      <LoadState loaded={loaded} what={title.toLowerCase()} />
      {site.collectors.value !== undefined && polls.length === 0 && <NotEnabled collector={collector} />}
      <ul class="plain">
        {polls.map((poll) => (
          <PollState key={poll.cluster} poll={poll} now={site.now} />
        ))}
      </ul>
      {loaded.value !== undefined && isKnown && children}
    </section>
  );
}

function NotEnabled({ collector }: { readonly collector: string }) {
  return (
    <p class="soft">
      ? Not polled: the collector {collector} is not enabled. Set <code>collectors.{collector}.enabled: true</code> in
      the configuration.
    </p>
  );
}

function PollState({ poll, now }: { readonly poll: CollectorReport; readonly now: number }) {
  if (poll.state !== 'healthy') {
    return (
      <li>
        {poll.cluster}: <CollectorState collector={poll} now={now} />
      </li>
    );
  }
  return (
    <li class="soft">
      {poll.cluster}: as of <Elapsed since={poll.lastSuccess} now={now} /> ago
    </li>
  );
}
