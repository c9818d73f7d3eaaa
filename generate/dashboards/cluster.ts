import { disks } from './cluster/disks.ts';
import { doubts } from './cluster/doubts.ts';
import { memory } from './cluster/memory.ts';
import { partitions } from './cluster/partitions.ts';
import { processors } from './cluster/processors.ts';
import { services } from './cluster/services.ts';
import { upkeep } from './cluster/upkeep.ts';
import type { DashboardDefinition } from './definition.ts';
import { abortMarks, transitionMarks } from './marks.ts';

/** What does each service do, and what did it do before? Does anything run out? */
export const cluster: DashboardDefinition = {
  name: 'cluster',
  title: 'Graphwarden / Cluster',
  description: 'Services, partitions, nodes and resources of a cluster: what changed, and what runs out?',
  marks: [transitionMarks, abortMarks],
  rows: [services, partitions, doubts, memory, disks, processors, upkeep],
};
