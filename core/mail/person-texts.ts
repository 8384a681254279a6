import { nameIn } from '#contract/sign-up.js';
import { urlIn } from '../rules/urls.js';
import type { MailContent } from './mail-template.js';

/**
 * Returns the content of an email with the texts of the account's owner made harmless, because a
 * stranger can sign up with another person's address: until the address is confirmed they are left
 * out, afterwards names are one line without links. An absent text is empty. Every kind of email is
 * listed, so that a new kind has to decide.
 */
export function withSafeTexts(content: MailContent, isConfirmed: boolean): MailContent {
  switch (content.kind) {
    case 'welcome':
      return { ...content, displayName: isConfirmed ? linkless(content.displayName) : '' };
    case 'key_changed':
      return content.name === undefined ? content : { ...content, name: isConfirmed ? linkless(content.name) : '' };
    case 'webhook_disabled':
    case 'webhook_failing':
      return isConfirmed ? content : { ...content, host: '' };
    case 'webhook_changed':
      return isConfirmed || content.host === null ? content : { ...content, host: '' };
    case 'receipt':
    case 'account_deletion':
    case 'verify_email':
    case 'reset_password':
    case 'google_reminder':
    case 'new_device':
    case 'payment_disputed':
    case 'password_changed':
    case 'delivery_suspended':
    case 'credits_low':
    case 'daily_spend':
    case 'top_up_declined':
    case 'top_up_confirm':
    case 'top_up_off':
    case 'number_past_due':
    case 'number_bought':
    case 'number_releasing':
    case 'number_released':
    case 'number_filtered':
    case 'top_up_limit':
      return content;
  }
}

function linkless(name: string): string {
  const line = nameIn(name);
  return urlIn(line) === undefined ? line : '';
}
