// Archives of files in memory, without a program of the system. Equal files make equal archives.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** 1980-01-01, the first day of the format. */
const ZIP_DATE = 0x21;
const UTF_8 = 0x800;

/** A zip (APPNOTE 6.3.3) of `[path, bytes, time]`, in order. A time is in units of two seconds after midnight. */
export function zip(files) {
  const parts = [];
  const entries = [];
  let offset = 0;
  for (const [path, bytes, time = 0] of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(bytes, { level: 9 });
    const common = Buffer.alloc(26);
    [20, UTF_8, 8, time, ZIP_DATE].forEach((value, n) => common.writeUInt16LE(value, n * 2));
    [crc32(bytes), data.length, bytes.length].forEach((value, n) => common.writeUInt32LE(value, 10 + n * 4));
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    // The file is one of Unix, which its owner can write and others can read.
    entry.writeUInt16LE(0x0314, 4);
    common.copy(entry, 6);
    entry.writeUInt32LE(0o100644 * 0x10000, 38);
    entry.writeUInt32LE(offset, 42);
    entries.push(entry, name);
    parts.push(Buffer.from('PK\x03\x04'), common, name, data);
    offset += 4 + common.length + name.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  [files.length, files.length].forEach((value, n) => end.writeUInt16LE(value, 8 + n * 2));
  [directory.length, offset].forEach((value, n) => end.writeUInt32LE(value, 12 + n * 4));
  return Buffer.concat([...parts, directory, end]);
}

/** A tar (POSIX ustar) of `[path, bytes]`, in order. Paths have at most 100 bytes. */
export function tar(files) {
  const blocks = files.flatMap(([path, bytes]) => {
    if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is too long for a tar.`);
    const header = Buffer.alloc(512);
    const fields = { 0: path, 100: '0000644\0', 108: '0000000\0', 116: '0000000\0', 136: '00000000000\0' };
    const size = `${bytes.length.toString(8).padStart(11, '0')}\0`;
    const all = { ...fields, 124: size, 148: ' '.repeat(8), 156: '0', 257: 'ustar\x0000' };
    for (const [at, text] of Object.entries(all)) header.write(text, Number(at));
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

/** A tar in gzip. */
export const tarGz = (files) => gzipSync(tar(files), { level: 9 });
