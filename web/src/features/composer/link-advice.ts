import { linkAdvice } from '#contract/message-media.js';

/** Label of the checkbox beside the files of a message. */
export const LINKS_LABEL = 'Send links to the files where pictures cannot be sent';

/** Rewrites a refusal: names the checkbox in place of the API's field. */
export function inDashboardWords(detail: string): string {
  return detail.replace(linkAdvice, `Choose “${LINKS_LABEL}” to send links in their place.`);
}
