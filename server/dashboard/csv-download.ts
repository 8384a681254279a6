import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { newYorkDay } from '#core/rules/new-york-time.js';

/** Streams JSON like {@link csvDownload}. */
export function jsonDownload(content: string, text: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(text), {
    type: 'application/json; charset=utf-8',
    disposition: `attachment; filename="pennytext-${content}-${newYorkDay(new Date())}.json"`,
  });
}

/** Streams CSV as fast as the client reads it and stops when the client disconnects. Names the file by content and day. */
export function csvDownload(content: string, text: AsyncIterable<string>): StreamableFile {
  return new StreamableFile(Readable.from(text), {
    type: 'text/csv; charset=utf-8; header=present',
    disposition: `attachment; filename="pennytext-${content}-${newYorkDay(new Date())}.csv"`,
  });
}
