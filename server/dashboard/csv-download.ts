import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { newYorkDay } from '#core/rules/new-york-time.js';

/** A file that is read as fast as the client takes it, and no further when it leaves. Its name tells what and when. */
export function csvDownload(what: string, text: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(text), {
    type: 'text/csv; charset=utf-8; header=present',
    disposition: `attachment; filename="pennytext-${what}-${newYorkDay(new Date())}.csv"`,
  });
}
