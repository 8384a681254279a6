import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Config } from '../platform/config/config.js';
import { mediaIdFromPublic, publicMediaId } from '../rules/ids.js';

const SECONDS_MAX = limits.mediaLinkDaysMax * 86_400;

/** `foreign`: we have not made the link. */
export type ReadLink = { readonly kind: 'valid'; readonly id: string } | { readonly kind: 'ended' | 'foreign' };

/**
 * Links to files that open without a key, for a limited time: `/m/{id}?e={end}&s={signature}`. The
 * end is in seconds since 1970; the signature is an HMAC-SHA256 over both, in base64url.
 */
@Injectable()
export class MediaLinks {
  constructor(private readonly config: Config) {}

  /**
   * Returns a link that works for the longest time, counted from `now`, which is later for a
   * message that leaves later. Machines' clocks may differ: the link works before `now` too.
   */
  to(id: string, now = new Date()): string {
    const publicId = publicMediaId(id);
    const end = Math.floor(now.getTime() / 1_000) + SECONDS_MAX;
    return `${this.config.media.url}/m/${publicId}?e=${end}&s=${this.signature(publicId, end)}`;
  }

  /** Returns the file of a link, by its path and query. */
  read(publicId: string, { e: end, s: signature }: { e?: unknown; s?: unknown }, now = new Date()): ReadLink {
    const id = mediaIdFromPublic(publicId);
    if (id === undefined || typeof end !== 'string' || !/^\d{10}$/.test(end) || typeof signature !== 'string')
      return { kind: 'foreign' };
    const given = Buffer.from(signature);
    const right = Buffer.from(this.signature(publicId, Number(end)));
    if (given.length !== right.length || !timingSafeEqual(given, right)) return { kind: 'foreign' };
    return Number(end) > now.getTime() / 1_000 ? { kind: 'valid', id } : { kind: 'ended' };
  }

  private signature(publicId: string, end: number): string {
    return createHmac('sha256', this.config.media.linkSecret).update(`${publicId}.${end}`).digest('base64url');
  }
}
