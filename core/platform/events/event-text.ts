import { z } from 'zod';

/** Ids of one kind that a hint names at the most; beyond that it says `many`. */
export const HINTED_IDS_MAX = 100;
/** Postgres takes 8,000 bytes in a notification (PostgreSQL manual, NOTIFY); all that is written here is ASCII. */
const TEXT_BYTES_MAX = 7_900;

const ids = z.array(z.uuid()).max(HINTED_IDS_MAX).readonly();
const hint = z.object({
  accountId: z.uuid(),
  /** Outgoing messages that are new or have changed, oldest news first. */
  sent: ids,
  /** Inbound messages that are new or have changed. */
  received: ids,
  /** More has changed than the ids say. */
  many: z.boolean(),
});
const news = z.object({
  hints: z.array(hint).readonly(),
  /** Earlier news was lost on the way: anything may have changed. */
  missed: z.boolean(),
});

/** That something of an account has changed: its balance always may have. Which rows, not what they say. */
export type Hint = Readonly<z.infer<typeof hint>>;
export type News = Readonly<z.infer<typeof news>>;

/** News as it goes from process to process: in as many texts as its bound asks for. */
export function writeEvents({ hints, missed }: News): string[] {
  const texts: string[] = [];
  let written: string[] = [];
  let bytes = 0;
  const end = () => {
    texts.push(`{"hints":[${written.join(',')}],"missed":${missed && texts.length === 0}}`);
    written = [];
    bytes = 0;
  };
  for (const text of hints.map((one) => hintText(one))) {
    if (bytes + text.length > TEXT_BYTES_MAX - FRAME_BYTES && written.length > 0) end();
    written.push(text);
    bytes += text.length + 1;
  }
  if (written.length > 0 || missed) end();
  return texts;
}

const FRAME_BYTES = '{"hints":[],"missed":false}'.length;

/** A hint with both its lists full would be too long for one text; it then says `many` in place of them. */
function hintText(one: Hint): string {
  const text = JSON.stringify(one);
  if (text.length <= TEXT_BYTES_MAX - FRAME_BYTES) return text;
  return JSON.stringify({ ...one, sent: [], received: [], many: true } satisfies Hint);
}

/** Undefined when the text is none of ours: a process of another version may have written it. */
export function readEvents(text: string): News | undefined {
  try {
    return news.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return undefined;
    throw error;
  }
}
