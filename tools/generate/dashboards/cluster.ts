import { abortAnnotations, incidentAnnotations } from './annotations.ts';
import { access } from './cluster/access.ts';
import { dataQuality } from './cluster/data-quality.ts';
import { disks, inodes } from './cluster/disks.ts';
import { inventory } from './cluster/inventory.ts';
import { maintenance } from './cluster/maintenance.ts';
import { memory } from './cluster/memory.ts';
import { partitions } from './cluster/partitions.ts';
import { probes } from './cluster/probes.ts';
import { processors } from './cluster/processors.ts';
import { services, statusChanges } from './cluster/services.ts';
import { wrong } from './cluster/wrong.ts';
import type { DashboardDefinition } from './definition.ts';

/** Services, partitions and resources of a cluster. */
export const cluster: DashboardDefinition = {
  name: 'cluster',
  title: 'Graphwarden / Cluster',
  description: 'Services, partitions, nodes and resources of a cluster: what changed, and what is running out?',
  annotations: [incidentAnnotations, abortAnnotations],
  rows: [
    wrong,
    services,
    statusChanges,
    partitions,
    dataQuality,
    memory,
    disks,
    inodes,
    processors,
    inventory,
    access,
    probes,
    maintenance,
  ],
};
