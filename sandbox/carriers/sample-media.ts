import { crc32, deflateSync } from 'node:zlib';
import type { NewMedia } from './media.js';

/** 10 MB, the most that a carrier sends on. */
const ZEROS_BYTES = 10 * 1_048_576;
/** Each side of a picture of 400 million pixels. */
const BOMB_SIDE = 20_000;
const SMALL_SIDE = 64;

/** A drawing of a hill, with the make of a phone and the place in its metadata (EXIF). */
const photo = Buffer.from(
  '/9j/4QFURXhpZgAASUkqAAgAAAAJAA8BAgAIAAAAkAAAABABAgAGAAAAigAAABIBAwABAAAAAQAAABoBBQABAAAAegAAABsBBQAB' +
    'AAAAggAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAGmHBAABAAAAmAAAACWIBAABAAAA5gAAAAAAAAA4YwAA6AMAADhjAADoAwAA' +
    'UGhvbmUAU2FuZGJveAAGAACQBwAEAAAAMDIxMAGRBwAEAAAAAQIDAACgBwAEAAAAMDEwMAGgAwABAAAA//8AAAKgBAABAAAAQAEA' +
    'AAOgBAABAAAA8AAAAAAAAAAEAAEAAgACAAAATgAAAAIABQADAAAANAEAAAMAAgACAAAAVwAAAAQABQADAAAAHAEAAAAAAABKAAAA' +
    'AQAAAAAAAAABAAAAFgAAAAEAAAAoAAAAAQAAACoAAAABAAAALgAAAAEAAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcg' +
    'LikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09P' +
    'T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCADwAUADASIAAhEBAxEB/8QAGgABAQEAAwEAAAAAAAAAAAAAAAEC' +
    'AwQGBf/EADQQAQACAgECAwUGBQUBAAAAAAABEQIDBAUxEiFRIkFhcZETFDJCgcEzkqHR8BVSU1Th8f/EABkBAQEAAwEAAAAAAAAA' +
    'AAAAAAABAgQFA//EACURAQACAQQCAQQDAAAAAAAAAAABAgMEERIxIUFxFEJRYRMiMv/aAAwDAQACEQMRAD8A9tZaWW2mutlpZYLZ' +
    'aWWC2WllgtlpZYLZaWWC2WllgtlpZYLZaWWC2WllgtlpZYLZaWWC2WllgtlpZYLZaWWC2WllgtlpZYLZaWWC2WllgtlpZYMiWWqK' +
    'JZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYKJZYMiDJFEAUQBRAFEAUQBRAFEAUQ' +
    'BRAFEAUQBRAFEcW7Z4fZx7+rzyXrjrylnjxzktxhvPdjh5d5+Di+8Ze6IcI5d9VktPidnVppMdY8xu5vvGfpi5MN+OXlPlPxdUKa' +
    'rJWe9y+lx2jrZ3h19OzzjDL9HO6eLJXJXlDl5cU4rcZUQerzUQBRAGbLQVitloAtloAtloAtloAtloAtloAtloAtloAtloAtloAt' +
    'loAtloAszUTPo6szczPq7GX4J+TrObr5neIdPQRG0yANB0AAB2scvFjEuq7Gv+HDd0MzzmP00dfEcIn9t2Wg6jlLZaALZaAJZbNl' +
    'skastmywastmywastmywastmywastmywastmywastmywastmywastmywastmywastmywastmywWfOJj1cHaXNbGePvho63DNqxaP' +
    'Te0WaK2ms+3GA5TrAADnw8sYhx4Y3Nz2clunocMxE3n25euzRMxSPTVls2W6DntWWzZYNWWzZYIM2WqNDNlg0M2WDQzZYNDNlg0M' +
    '2WDQzZYNDNlg0M2WDQzZYNDNlg0M2WDQzZYNDNlgTjE9vJnwz6NWW1b6PFed+vhtU1mWkbd/LPhn0WMPVbLSmixVnfv5W+ty2jbr' +
    '4aGbLbezU3aGbLBoZssGhmywQZGTFoZAaGQGhkBoZAaGQGhkBoZAaGQGhkBoZAaGQGhkBoZAaGQGhkBoZAaGQGhkBoZASy2RUast' +
    'kBqy2QGrLZAastkBqy2QGrLZAastkBqy2QGrLZAastkBqy2QGrLZAastkBqy2QGrLZAastkBqy2QGrLZAastkBLLZstkjVls2WDV' +
    'ls2WDVls2WDVls2WDVls2WDVls2WDVls2ZZRjjOWUxERFzM+4GrfI5nW8NeU4cXCNmUTXjn8P6erpdU6lPKynVpmY0RP8/8A4+c0' +
    '8uf1VhNvw7efVOdnhOOXIyiJ/wBsRE/WHJh1jnY5xOWzHOI/LljFT9HQHh/Jb8sd5eg4vXNGeNcmJ1ZRHeIuJ/d9PDZhsxjPXljl' +
    'jPacZuHjHJp37tGXi07MsJuJmp7/AD9XtTUTH+li8+3sbLebw63y8cYiY1ZzH5px85+ktf67yv8Aj0/yz/d7fUUZc4eitxbuTo0X' +
    '9ttwwmIupnzr5PN7+qczdP8AFnCLusPZr9e7p5TOWU5ZTMzM3Mz72FtTH2wk3ejz65xMc5jGNucR+bHHyn6yYdc4mWcRlG3CJ/Nl' +
    'j5R9JecHl9RdOUvZad2rfrjPTnjnjPviW7eP43J3cXZGenOY8/OPdl84ei6d1DDma6msduMe1j+8fBsYs0X8T2yi27vWWzZb3ZNW' +
    'WzZYNWWzZYNWWzZYNWWzZYOHj8jXydMbdU3jP1ifSXK8x0/nZ8PZU3lqyn2sf3j4vR69uG3Xjs15RljlFxMPPFli8fthE7uQSy3q' +
    'qiWWCiW49m/Tqy8OzbrwmrrLKIJ8G7lGMM8NmMZYZRljPaYm4asFEssFEtMsoxxnLKYiIi5mfcDTz3VeoZcjPLTqmtOM1NT+OfX5' +
    'OTqnUvtL4/Hy9jtnnH5vhHw/z5/KaWfNv/WrGZAGqxABQAQAAAAAAa17M9WzHZrynHPGbiYZAem6fz8OZrqax24x7WP7x8HceP17' +
    'M9WzHZrynHPGbiYel4HLx5fHjPyjOPLPGPdLfwZufie2cWdsSy2wqiWWCiWmWUY4zllMRERczPuBocH3zi/9jT/PDevdq239lswz' +
    'rv4comk3iTd5Fz8PlbOJt8eHnjP4sfdMOAcqJmJ3h5vRcbqfG34+1nGrKvOM5r+ruvIDarqpiPMLyep28vj6b+13YYzHeLufp3fN' +
    '39b7RxtXznZ/aHyBhfU3nrwby5t3L5O+K27spiqrtE/pDhB4TMz5lCJnHKMsZmJibiY9zuaeqcvTFeONkV2zi/693TFra1epH3NP' +
    'WdGc1uwy1zff8Uf5+juYc3i54xlHI11PrlU/SXlx711V478ryl6Td1LiaY/iRnNXWHn/AF7Pj83qO3l4+Cow13fhie/zl0xhfPe/' +
    'g3mQB4oKCKACiKCIKKIoIAAqCiojWvZnq2Y7NeU45YzcTDII9Dwup6uTEYZ1r212ntM/D+zvPIOfVzeVpx8OvdlXap86+V9m5TVb' +
    'eLLyeocW/kaePj4t2yMY9195/R5/PqPMzxnGd8xE+kRE/WHVmZyynLKZmZ85mfettXH2wvJ9XkdazmZjja4xivxZ+c/T/wCvm7d2' +
    '3fle3ZlnN3Fz2+XowNW+S1+5Y7gDAVFQUAEAAAUVAAABAAUUEBQGQAAigIKCIKCgAIKggiiogAgAAAKCoCioiiKAAAAAAAAAAAKA' +
    'oCioKAgqAAAAACgIAIgqCCKCIoAACgAKAKIoCKAAAAACKAAAAooAigoCAAAAAAAAIoCAKxEUBBQAAAAFRRFQBQBQQUQQUBBUUAUA' +
    'FRQAUAAAAAAAAAARQERQRAFQAAFEEFAf/9k=',
  'base64',
);

/** A coin that runs in a circle, in six pictures. */
const coin = Buffer.from(
  'R0lGODlhPAA8AIEAAExpcahIHPr38gAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFDAAAACwAAAAAPAA8AAACYpSPqcvtD6OctNqL' +
    's968+w+G4kiW5omm6sq27gvH8kzXdhjkum7vfj77CYGwobBoPLaSxiVTuXpCVdKfs8pjYXfXbRf7rbq2AaQ0BpYxe8Ob+w2Py+f0' +
    'uv2Oz+v3/L7/31cAACH5BAUAAAAALB4AFQAcACMAAAJfhI8oy5wPm1ywzkurwlMfjnkgp42hZXZo2pRsu76CK8/xS8uiDgW+z3r8' +
    'hsNRgogEXoTJpArRjHoA0aanKq1grdotUuP9dsM/MLk8PpvPgavaTZ5Sw3KDt37A4o/iegEAIfkEBQAAAAAsDAAkACUAFAAAAkeE' +
    'D6Eq7Q8dmmZZGzOk6fqghcL0laJ2lOqZVerHRt0Lxw9t2g5e6wLv8TWAF+GPuDAik8IlQzgDGl3EKRVnTWGhFFqW09NRCgAh+QQF' +
    'AAAAACwDABUAHAAjAAACX4QdqXrtv2J6FMkbqsNXH455IKeNYWV2aBqV7OK+0ypntBzjeeoBtQDcgYDEIMRUTN4iyaagF3BKjZqp' +
    '1GOdVrPOLVdZ+Ta9YuqjXCSX1WIsuod+wts9w7feyOLPY0cBACH5BAUAAAAALAMABQAcACQAAAJghI8Zy5EPQZsrRoqtwllLznlg' +
    'aI1gaXZQqj4shb5MLDtXXd24tvP1IwgKZUChkZUwKoOm4nI5iTynQQ31arlSs9ont6v8goXisaA8RoPVXav57DZ7API5vW0/bPNS' +
    '/qEAACH5BAUAAAAALAwABQAlABQAAAJHhC+pyxoPw5mo2RXzo+Z6oYXUd4VmRTLm2qXqKrovHMoYXdsJnuu8ptv9IkHQEFI8IoPK' +
    'TfLY8kGjtuGIieMAniwtqhrRFgAAOw==',
  'base64',
);

const SCRIPT = '<script>document.title = "The script has run"</script>';

/** Files that a phone may send, harmless and hostile, by name. */
const samples: Readonly<Record<string, () => NewMedia>> = {
  photo: () => ({ type: 'image/jpeg', bytes: photo }),
  'animated-gif': () => ({ type: 'image/gif', bytes: coin }),
  png: () => ({ type: 'image/png', bytes: grayPng(SMALL_SIDE) }),
  'svg-as-png': () => ({
    type: 'image/png',
    bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`),
  }),
  'html-as-png': () => ({ type: 'image/png', bytes: Buffer.from(`<!doctype html><body>${SCRIPT}</body>`) }),
  // A picture to one program, and a page to another.
  polyglot: () => ({
    type: 'image/png',
    bytes: Buffer.concat([grayPng(SMALL_SIDE), Buffer.from(`<html><body>${SCRIPT}</body></html>`)]),
  }),
  bomb: () => ({ type: 'image/png', bytes: grayPng(BOMB_SIDE) }),
  zeros: () => ({ type: 'image/jpeg', bytes: Buffer.alloc(ZEROS_BYTES) }),
};

export const SAMPLE_NAMES = Object.keys(samples);

/** A sample by its name; undefined for an unknown name. */
export function sampleOf(name: string): NewMedia | undefined {
  return Object.hasOwn(samples, name) ? samples[name]?.() : undefined;
}

/**
 * A square PNG of one gray. Its pixels are one bit each, so that a large picture is a small file.
 */
function grayPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side), { level: 9 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
}
