import { writeHeartbeat } from '../../../../src/collect/probes/kinds/write-heartbeat.ts';
import { checkKind } from '../kind-suite.ts';

checkKind(writeHeartbeat, [{}]);
