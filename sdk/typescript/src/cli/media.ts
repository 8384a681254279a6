import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PennytextError } from '../errors.js';
import { argument, type Command, type Context, type Values } from './command.js';
import { bytesOf } from './messages.js';
import { UsageError } from './terminal.js';

const USAGE = 'Usage: pennytext media download ID, or pennytext media upload FILE';

/** Saves a file of a message, or stores a file for messages. */
export const media: Command = {
  usage: 'media ACTION FILE',
  about: 'Download a picture or another file of a message, or upload one.',
  details: `ACTION is download or upload. To download, FILE is the "Id" of a file in the webhook of a reply, or a
"media_id", ME and 32 digits. The file is saved in the current folder under its id and the extension of its type; an
existing file is never replaced. To upload, FILE is a path or a URL; messages then name the id that is printed.`,
  options: { out: { type: 'string', value: 'FILE', about: 'Save it here; - for standard output.' } },
  async run(context, args, values) {
    const given = argument(args, 1);
    switch (argument(args, 0)) {
      case 'download':
        return download(context, given, values);
      case 'upload':
        return upload(context, given);
      default:
        throw new UsageError(USAGE);
    }
  },
};

async function download({ client, terminal, signal }: Context, mediaId: string, values: Values): Promise<void> {
  const { stream, name, type, size, sha256 } = await client().media.download(mediaId, { signal });
  const file = values.text('out') ?? name;
  const content = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  if (file === '-') return pipeline(content, process.stdout, { end: false });
  await save(content, file);
  terminal.print(
    { media_id: mediaId, file, type, bytes: size, sha256 },
    `${file}: ${size.toLocaleString('en-US')} bytes, ${type}`,
  );
}

async function upload({ client, terminal, signal }: Context, file: string): Promise<void> {
  const content = /^https?:\/\//.test(file) ? { url: file } : bytesOf(file);
  const answer = await client().media.upload(content, { signal });
  const { media_id: id, type, bytes, expires_at: end } = answer;
  const test = answer.test ? ' Test key: nothing was stored.' : '';
  terminal.print(answer, `${id}: ${bytes.toLocaleString('en-US')} bytes, ${type}, kept until ${end}.${test}`);
}

/** Saves a whole file, or leaves no part of it behind. */
async function save(content: Readable, file: string): Promise<void> {
  try {
    await pipeline(content, createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    if (isTaken(error)) throw new UsageError(`${file} exists already. Give another name with --out.`);
    await rm(file, { force: true });
    if (error instanceof TypeError)
      throw new PennytextError('connection_failed', 'The file is incomplete.', { cause: error });
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST';
}
