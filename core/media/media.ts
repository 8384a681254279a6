import type { MediaReason, MediaStatus } from '#contract/media.js';

export type MediaDirection = 'inbound' | 'outbound';

/** A file of a message. */
export interface Media {
  readonly id: string;
  readonly accountId: string;
  readonly direction: MediaDirection;
  /** The reply that it came with; null for one that was uploaded. */
  readonly messageId: string | null;
  readonly state: MediaStatus;
  /** Why it cannot be stored. */
  readonly reason: MediaReason | null;
  /** By its bytes; of a pending one what the carrier calls it. */
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

/** What an account has stored within a day. */
export interface DayUse {
  readonly files: number;
  readonly bytes: number;
}

/** Which picture another one was made of, and how many bytes it was to have at most. */
export interface FittedTo {
  readonly originalId: string;
  readonly bytesMax: number;
}
