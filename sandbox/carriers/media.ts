import { randomUUID } from 'node:crypto';

/** A file that came with a message, without its bytes. */
export interface MessageMedia {
  /** ME and 32 hexadecimal digits. */
  readonly sid: string;
  /** Type by the phone, whatever the bytes are. */
  readonly type: string;
}

export interface NewMedia {
  readonly type: string;
  readonly bytes: Buffer;
}

interface KeptMedia extends NewMedia {
  readonly messageSid: string;
}

/** Bound on the bytes of all files. The oldest files are dropped when it is exceeded. */
const BYTES_KEPT_MAX = 256 * 1_048_576;

/**
 * The files of messages in memory; they do not outlive the sandbox. A phone keeps its own copy of a
 * file that the product deletes.
 */
export class MediaBook {
  private readonly kept = new Map<string, KeptMedia>();
  /** Ids of files that only phones still have. */
  private readonly deleted = new Set<string>();
  private bytesKept = 0;
  private deletedTotal = 0;

  constructor(private readonly bytesMax = BYTES_KEPT_MAX) {}

  /** Number of files that the product has deleted since the last `clear`. */
  get deletedCount(): number {
    return this.deletedTotal;
  }

  get count(): number {
    return this.kept.size - this.deleted.size;
  }

  add(messageSid: string, { type, bytes }: NewMedia): MessageMedia {
    const sid = `ME${randomUUID().replaceAll('-', '')}`;
    this.kept.set(sid, { messageSid, type, bytes });
    this.bytesKept += bytes.length;
    for (const [oldest] of this.kept) {
      if (this.bytesKept <= this.bytesMax) break;
      this.drop(oldest);
    }
    return { sid, type };
  }

  /** A file as the carrier has it, until the product deletes it. */
  get(sid: string): KeptMedia | undefined {
    return this.deleted.has(sid) ? undefined : this.kept.get(sid);
  }

  /** A file as the phone has it. */
  ofPhone(sid: string): NewMedia | undefined {
    return this.kept.get(sid);
  }

  /** Deletes a file for the product; false if there is none. */
  delete(sid: string): boolean {
    if (this.get(sid) === undefined) return false;
    this.deleted.add(sid);
    this.deletedTotal += 1;
    return true;
  }

  clear(): void {
    this.kept.clear();
    this.deleted.clear();
    this.bytesKept = 0;
    this.deletedTotal = 0;
  }

  private drop(sid: string): void {
    this.bytesKept -= this.kept.get(sid)?.bytes.length ?? 0;
    this.kept.delete(sid);
    this.deleted.delete(sid);
  }
}
