import { z } from 'zod';
import { limits } from '#contract/limits.js';
import { rejectedItem } from '#contract/bulk.js';
import { smsEncodings } from '#contract/messages.js';

const STORED = 'unanswered-bulks';
const KEPT_MAX = 5;
const HOUR_MS = 3_600_000;

/**
 * A sent bulk whose answer has not arrived; has all that is needed to send the same bulk again.
 */
const unansweredBulk = z.object({
  idempotencyKey: z.string(),
  /** Send time, in milliseconds. */
  at: z.number(),
  encoding: z.enum(smsEncodings),
  from: z.string().optional(),
  sendAt: z.string().optional(),
  /** Ids of the files. */
  media: z.array(z.string()).default([]),
  asLinks: z.boolean().default(false),
  credits: z.number(),
  balance: z.number(),
  /** Rejected items without their numbers, which are not stored. */
  rejected: z.array(rejectedItem.omit({ to: true })),
});
type UnansweredBulk = z.infer<typeof unansweredBulk>;

const storedBulks = z.record(z.string(), unansweredBulk);

/**
 * The unanswered bulks of this browser tab by their content. They outlive a reload of the page, so
 * that the same list and message cannot be sent twice; the server forgets an Idempotency-Key after
 * a day, and so does this class.
 */
export class UnansweredBulks {
  private bulks: Readonly<Record<string, UnansweredBulk>>;

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined = sessionStorageIfAllowed()) {
    const { data } = storedBulks.safeParse(jsonIn(storage?.getItem(STORED) ?? '{}'));
    this.bulks = data ?? {};
  }

  find(content: string, now = Date.now()): UnansweredBulk | undefined {
    const bulk = this.bulks[content];
    return bulk && now - bulk.at < limits.idempotencyHours * HOUR_MS ? bulk : undefined;
  }

  /** The latest unanswered bulk. */
  latest(now = Date.now()): UnansweredBulk | undefined {
    return Object.keys(this.bulks)
      .flatMap((content) => this.find(content, now) ?? [])
      .sort((a, b) => b.at - a.at)[0];
  }

  keep(content: string, bulk: UnansweredBulk): void {
    const others = Object.entries(this.bulks).filter(([other]) => other !== content);
    const newest = others.sort(([, a], [, b]) => b.at - a.at).slice(0, KEPT_MAX - 1);
    this.store(Object.fromEntries([[content, bulk], ...newest]));
  }

  /** Called when a definite answer has arrived. */
  forget(content: string): void {
    this.store(Object.fromEntries(Object.entries(this.bulks).filter(([other]) => other !== content)));
  }

  private store(bulks: Readonly<Record<string, UnansweredBulk>>): void {
    this.bulks = bulks;
    try {
      this.storage?.setItem(STORED, JSON.stringify(bulks));
    } catch (cause) {
      // Full storage (HTML standard, section 12.2.1): bulks are known until the page is left.
      if (!(cause instanceof DOMException)) throw cause;
    }
  }
}

/**
 * Names the content of a bulk, short enough to be stored: two 32-bit FNV-1a hashes. Digests of the
 * browser are available on HTTPS and localhost only. If two contents had the same name, the server
 * would refuse the second as another request with the same key.
 */
export function contentName(content: unknown): string {
  const text = JSON.stringify(content);
  return [0x811c9dc5, 0x9747b28c]
    .map((seed) => {
      let hash = seed;
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
      return (hash >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The session storage; undefined when the browser blocks it. */
function sessionStorageIfAllowed(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
