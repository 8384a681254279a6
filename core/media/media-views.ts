import { Injectable } from '@nestjs/common';
import { mediaReasons, type MediaView } from '#contract/media.js';
import { publicMediaId } from '../rules/ids.js';
import { MediaLinks } from './media-links.js';
import type { Media } from './media.js';

/** A file as `mediaOfReply` selects it. */
export type MediaOfReply = Pick<Media, 'id' | 'state' | 'reason' | 'type' | 'bytes' | 'sha256' | 'hasThumbnail'>;

/** Files as pages and exports show them. */
@Injectable()
export class MediaViews {
  constructor(private readonly links: MediaLinks) {}

  /** Null counts as an empty list. */
  of(files: readonly MediaOfReply[] | null): MediaView[] {
    return (files ?? []).map(({ id, state, reason, type, bytes, sha256, hasThumbnail }) => ({
      id: publicMediaId(id),
      status: state,
      reason: reason && mediaReasons[reason],
      type,
      bytes,
      sha256,
      thumbnail: hasThumbnail,
      url: state === 'stored' ? this.links.to(id) : null,
    }));
  }
}
