import { limits } from '#contract/limits.js';

/** Countries whose networks take messages with files from our carriers, ISO 3166-1 alpha-2. */
const countries: ReadonlySet<string> = new Set(['US', 'CA']);

/** Toll-free numbers of the North American Numbering Plan. */
const TOLL_FREE = /^\+18(?:00|33|44|55|66|77|88)\d{7}$/;
/** E.164. Short codes have no `+`. */
const LONG_NUMBER = /^\+\d{8,15}$/;

/** Tells whether messages with files are sent to a country, ISO 3166-1 alpha-2. */
export function takesMms(country: string): boolean {
  return countries.has(country);
}

/**
 * Returns the maximum of bytes for all files of a message by its sender: the amount that every US
 * network takes from such a number (https://help.twilio.com, "MMS Media Size Limits"; Telnyx, "MMS
 * Media & Transcoding"). A messaging service may choose a toll-free number or a short code, so it
 * has their limit.
 */
export function mmsBytesMaxOf(sender: string): number {
  return LONG_NUMBER.test(sender) && !TOLL_FREE.test(sender) ? limits.mmsBytesMax : limits.mmsTollFreeBytesMax;
}

/** Types that carriers hand to phones, and that phones show. */
const carriedTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'video/mp4',
  'video/3gpp',
  'video/3gpp2',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/amr',
  'audio/ogg',
  'application/pdf',
  'text/vcard',
  'text/calendar',
]);
/** Types of pictures that carriers do not take and that are sent as JPEG. */
const convertedTypes: ReadonlySet<string> = new Set(['image/webp']);
const shrinkableTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', ...convertedTypes]);

/** Tells whether a file of this type can be sent, unchanged or as another picture. */
export function isMmsType(type: string): boolean {
  return carriedTypes.has(type) || convertedTypes.has(type);
}

/** Tells whether a file is a picture, which can be decoded and made smaller. */
export function isPicture(type: string): boolean {
  return shrinkableTypes.has(type);
}

/** The properties of a message's file on which its size on the networks depends. */
export interface SizedFile {
  readonly type: string;
  readonly bytes: number;
  /** An animated picture is never made smaller. */
  readonly isAnimated: boolean;
}

/** For each file its maximum of bytes, or null if the file is sent unchanged. */
export type FitPlan = readonly (number | null)[];

/**
 * Maximum of bytes of a resized picture: few sizes, so that each picture is encoded only a few
 * times for any number of messages. Smaller pictures are hardly worth sending.
 */
const pictureSizes = [1_000, 800, 600, 450, 300, 200, 150, 100, 75, 50, 30, 20].map((kilobytes) => kilobytes * 1_000);

/**
 * Plans how files fit into `bytesMax` together: pictures above their share divide the rest equally.
 * Undefined if the files do not fit.
 */
export function fitPlan(files: readonly SizedFile[], bytesMax: number): FitPlan | undefined {
  const plan: (number | null)[] = files.map(() => null);
  const canChange = ({ type, isAnimated }: SizedFile) => isPicture(type) && !isAnimated;
  const fixed = files.filter((file) => !canChange(file)).reduce((sum, { bytes }) => sum + bytes, 0);
  const pictures = files
    .map((file, index) => ({ ...file, index }))
    .filter(canChange)
    .sort((a, b) => a.bytes - b.bytes || a.index - b.index);
  let left = bytesMax - fixed;
  if (left < 0) return undefined;
  for (const [position, { index, bytes, type }] of pictures.entries()) {
    const share = Math.floor(left / (pictures.length - position));
    if (bytes <= share && !convertedTypes.has(type)) {
      left -= bytes;
      continue;
    }
    const size = pictureSizes.find((one) => one <= share);
    if (size === undefined) return undefined;
    plan[index] = size;
    left -= size;
  }
  return plan;
}

/** Tells whether a plan changes no file. */
export function keepsAll(plan: FitPlan): boolean {
  return plan.every((bytesMax) => bytesMax === null);
}
