import { linkAdvice } from '#contract/message-media.js';

/** The checkbox beside the files of a message. */
export const LINKS_LABEL = 'Send links to the files where pictures cannot be sent';

/** Why something was refused, with the checkbox in place of the field of the API. */
export function inDashboardWords(detail: string): string {
  return detail.replace(linkAdvice, `Choose “${LINKS_LABEL}” to send links in their place.`);
}
