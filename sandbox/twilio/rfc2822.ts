let cachedSecond = -1;
let cachedText = '';

/** An instant as Twilio's 2010 API writes it: `Thu, 24 Aug 2023 05:01:45 +0000`. Whole seconds. */
export function rfc2822(atMs: number): string {
  const second = Math.floor(atMs / 1000);
  if (second !== cachedSecond) {
    cachedText = new Date(second * 1000).toUTCString().replace('GMT', '+0000');
    cachedSecond = second;
  }
  return cachedText;
}
