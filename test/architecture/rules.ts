import { abortFromOnePlace } from './abort-call.ts';
import { avoidCycles, importPackagesAtTheEdge, respectLayers } from './layers.ts';
import {
  checkCommentRatio,
  checkDeclarationNames,
  checkFileNames,
  documentExports,
  exportByName,
  logConstantTexts,
  logErrorsAsError,
} from './naming.ts';
import { writePlainWords } from './plain-words.ts';
import type { Rule } from './project.ts';
import { forbidCasts, forbidEffectsInPureFiles, forbidModuleMocks, forbidSleepInPureTests } from './purity.ts';
import {
  keepFilesShort,
  keepFunctionsShort,
  keepMainShort,
  limitNesting,
  limitParameters,
  putSignalsLast,
} from './shape.ts';
import { keepSingleHomes } from './single-homes.ts';
import { mirrorSources, requireTestLines } from './test-coverage.ts';
import { listEveryUnit, mergeShortFiles } from './unit-lists.ts';

/** All architecture rules. None has exceptions. */
export const rules: readonly Rule[] = [
  writePlainWords,
  respectLayers,
  importPackagesAtTheEdge,
  avoidCycles,
  abortFromOnePlace,
  keepSingleHomes,
  keepFilesShort,
  keepMainShort,
  keepFunctionsShort,
  limitParameters,
  limitNesting,
  putSignalsLast,
  checkFileNames,
  checkDeclarationNames,
  documentExports,
  exportByName,
  checkCommentRatio,
  logConstantTexts,
  logErrorsAsError,
  forbidEffectsInPureFiles,
  forbidCasts,
  forbidModuleMocks,
  forbidSleepInPureTests,
  mirrorSources,
  requireTestLines,
  listEveryUnit,
  mergeShortFiles,
];
