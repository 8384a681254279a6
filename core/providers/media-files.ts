import type { MediaFiles } from '../media/media-files.js';
import type { BuildMediaFiles } from '../media/media.module.js';
import { DiskMediaFiles } from './disk/disk-media-files.js';

/**
 * Loads the SDK only for files in a bucket: it takes half a second and tens of megabytes to load.
 */
export const buildMediaFiles: BuildMediaFiles = async ({ media }): Promise<MediaFiles> => {
  if (media.bucket === undefined) return new DiskMediaFiles(media.folder);
  const { S3MediaFiles } = await import('./s3/s3-media-files.js');
  return new S3MediaFiles(media.bucket);
};
