import type { ApiFailure } from '../../api/api-failure.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';

interface Advice {
  /** The next step for the user; follows the refusal. */
  readonly text: string;
  readonly link?: { readonly title: string; readonly to: string };
}

const purchase = { title: 'Purchase Credits', to: paths.dashboardPurchase };
const support = { title: 'Contact support', to: `mailto:${site.contact}` };

const adviceOfCode: Readonly<Record<string, Advice>> = {
  no_credits: { text: 'Your text stays here.', link: purchase },
  insufficient_credits: { text: 'Your text stays here.', link: purchase },
  number_not_verified: { text: 'Verify the number with a one-time password first, or buy credits.', link: purchase },
  daily_limit: { text: 'Send it after midnight in New York, or ask for a higher limit.', link: support },
  url_not_activated: { text: 'Remove the URL, or ask for URLs in your messages.', link: support },
  url_shortener: { text: 'Replace it by the full URL and send again.' },
  delivery_suspended: {
    text: 'Home shows why, and how to send again.',
    link: { title: 'Go to Home', to: paths.dashboard },
  },
  country_disabled: {
    text: 'Switch the country on in your account, and send again.',
    link: { title: 'Choose countries', to: paths.dashboardAccount },
  },
};

/** Advice after a refusal by a rule; undefined if the refusal's own text suffices. */
export function adviceFor({ code }: Pick<ApiFailure, 'code'>): Advice | undefined {
  return code === undefined ? undefined : adviceOfCode[code];
}

const NOT_CHARGED = 'You were not charged.';

/** Consequence and cost of a refusal, without the text that is shown already. */
export function consequenceOf(shownDetail: string | undefined): string {
  return shownDetail?.includes(NOT_CHARGED) ? 'Nothing was sent.' : 'Nothing was sent, and you were not charged.';
}
