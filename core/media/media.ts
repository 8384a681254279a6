import type { MediaReason, MediaStatus } from '#contract/media.js';

export type MediaDirection = 'inbound' | 'outbound';

/** A file of a message. */
export interface Media {
  readonly id: string;
  readonly accountId: string;
  readonly direction: MediaDirection;
  /** Reply that brought the file; null for an uploaded file. */
  readonly messageId: string | null;
  readonly state: MediaStatus;
  /** Reason why the file cannot be stored. */
  readonly reason: MediaReason | null;
  /** Type by the file's bytes; for a pending file the carrier's type. */
  readonly type: string | null;
  readonly bytes: number | null;
  /** In hex. */
  readonly sha256: string | null;
  readonly hasThumbnail: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** A file whose bytes are known, before they are put into the store. */
export interface KnownFile {
  readonly type: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** Files and bytes that an account has stored within a day. */
export interface DayUse {
  readonly files: number;
  readonly bytes: number;
}

/** Original of a resized picture, and the size limit for which it was made. */
export interface FittedTo {
  readonly originalId: string;
  readonly bytesMax: number;
}
