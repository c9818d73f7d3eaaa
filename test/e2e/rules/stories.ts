import { burnStories } from './burn-stories.ts';
import { guardStories } from './guard-stories.ts';
import { absenceStories, ownStories } from './own-stories.ts';
import { queryStories } from './query-stories.ts';
import { resourceStories } from './resource-stories.ts';
import { serviceStories } from './service-stories.ts';
import type { Story } from './story.ts';

/** One or more for every alert but the watchdog, which always fires. */
export const stories: readonly Story[] = [
  ...serviceStories,
  ...resourceStories,
  ...queryStories,
  ...guardStories,
  ...ownStories,
  ...burnStories,
  ...absenceStories,
];
