import { z } from 'zod';

/** Ids of one kind in an event; with more than these it is `many`. */
export const EVENT_IDS_MAX = 100;
/** Postgres takes 8,000 bytes in a notification (PostgreSQL manual, NOTIFY); all that is written here is ASCII. */
const TEXT_BYTES_MAX = 7_900;

const ids = z.array(z.uuid()).max(EVENT_IDS_MAX).readonly();
const accountEvent = z.object({
  accountId: z.uuid(),
  /** Outgoing messages that are new or have changed, oldest change first. */
  sent: ids,
  /** Inbound messages that are new or have changed. */
  received: ids,
  /** More has changed than the ids name. */
  many: z.boolean(),
});
const eventBatch = z.object({
  hints: z.array(accountEvent).readonly(),
  /** Earlier events were lost: anything may have changed. */
  missed: z.boolean(),
});

/** Something of an account changed, always possibly its balance. Names rows, without their contents. */
export type AccountEvent = Readonly<z.infer<typeof accountEvent>>;
export type EventBatch = Readonly<z.infer<typeof eventBatch>>;

/** Serializes events for other processes, in as many texts as the bound requires. */
export function writeEvents({ hints, missed }: EventBatch): string[] {
  const texts: string[] = [];
  let written: string[] = [];
  let bytes = 0;
  const end = () => {
    texts.push(`{"hints":[${written.join(',')}],"missed":${missed && texts.length === 0}}`);
    written = [];
    bytes = 0;
  };
  for (const text of hints.map((one) => eventText(one))) {
    if (bytes + text.length > TEXT_BYTES_MAX - FRAME_BYTES && written.length > 0) end();
    written.push(text);
    bytes += text.length + 1;
  }
  if (written.length > 0 || missed) end();
  return texts;
}

const FRAME_BYTES = '{"hints":[],"missed":false}'.length;

/** An event with both lists full is too long for one text and becomes `many`. */
function eventText(one: AccountEvent): string {
  const text = JSON.stringify(one);
  if (text.length <= TEXT_BYTES_MAX - FRAME_BYTES) return text;
  return JSON.stringify({ ...one, sent: [], received: [], many: true } satisfies AccountEvent);
}

/** Parses a text; undefined when a process of another version wrote it in another form. */
export function readEvents(text: string): EventBatch | undefined {
  try {
    return eventBatch.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return undefined;
    throw error;
  }
}
