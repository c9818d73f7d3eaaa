import { abortFromOnePlace } from './acts.ts';
import { avoidCycles, importPackagesAtTheEdge, respectFloors } from './floors.ts';
import { listEveryUnit, mirrorSources, testMoreThanIsWritten } from './mirror.ts';
import type { Rule } from './project.ts';
import { castNothing, readNoWorldInPureFiles, sleepNowhereInPureTests, testTheRealThing } from './purity.ts';
import {
  keepFilesShort,
  keepFunctionsShort,
  keepMainShort,
  limitNesting,
  limitParameters,
  putSignalsLast,
} from './shape.ts';
import {
  commentInMeasure,
  documentExports,
  exportByName,
  logConstantTexts,
  nameFilesAfterTheirJob,
  nameThingsByTheField,
} from './words.ts';

/** Every rule of the architecture. None has an exception. */
export const rules: readonly Rule[] = [
  respectFloors,
  importPackagesAtTheEdge,
  avoidCycles,
  abortFromOnePlace,
  keepFilesShort,
  keepMainShort,
  keepFunctionsShort,
  limitParameters,
  limitNesting,
  putSignalsLast,
  nameFilesAfterTheirJob,
  nameThingsByTheField,
  documentExports,
  exportByName,
  commentInMeasure,
  logConstantTexts,
  readNoWorldInPureFiles,
  castNothing,
  testTheRealThing,
  sleepNowhereInPureTests,
  mirrorSources,
  testMoreThanIsWritten,
  listEveryUnit,
];
