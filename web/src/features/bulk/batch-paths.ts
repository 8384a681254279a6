import { paths } from '../../paths.js';

// Not in paths.ts, which public pages load too.

/** The list of batches. */
export const batchesPath = `${paths.dashboardBulk}?tab=batches`;

/** One batch. */
export const batchPath = (batchId: string): string => `${paths.dashboardBulk}?id=${batchId}`;
