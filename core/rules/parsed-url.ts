/**
 * The URL in a text, by the URL standard; undefined for what is none. In place of URL.canParse, which in Node 20 denies every
 * URL with a letter beyond ASCII as soon as it has been called often enough to be compiled.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (isInvalidUrl(error)) return undefined;
    throw error;
  }
}

/** By its code: an error of Node itself may come from another realm, as under Jest. */
function isInvalidUrl(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_INVALID_URL';
}
