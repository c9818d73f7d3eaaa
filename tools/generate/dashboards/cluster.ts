import { abortAnnotations, transitionAnnotations } from './annotations.ts';
import { dataQuality } from './cluster/data-quality.ts';
import { disks } from './cluster/disks.ts';
import { maintenance } from './cluster/maintenance.ts';
import { memory } from './cluster/memory.ts';
import { partitions } from './cluster/partitions.ts';
import { processors } from './cluster/processors.ts';
import { services } from './cluster/services.ts';
import type { DashboardDefinition } from './definition.ts';

/** Services, partitions and resources of a cluster. */
export const cluster: DashboardDefinition = {
  name: 'cluster',
  title: 'Graphwarden / Cluster',
  description: 'Services, partitions, nodes and resources of a cluster: what changed, and what is running out?',
  annotations: [transitionAnnotations, abortAnnotations],
  rows: [services, partitions, dataQuality, memory, disks, processors, maintenance],
};
