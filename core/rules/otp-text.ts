interface OtpText {
  readonly code: string;
  /** Who sends the code. */
  readonly org: string | undefined;
  /** The site the code is meant for. */
  readonly domain: string | undefined;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^(?=.{4,253}$)(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$`);
/** Line ends, other control characters, and what turns the direction of writing: a name has none. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * What the recipient reads. The last line binds the code to a site, so that phones fill it in there and nowhere else
 * (WICG, "Origin-bound one-time codes delivered via SMS").
 */
export function otpText({ code, org, domain }: OtpText): string {
  const from = org === undefined ? '' : `Message from ${org}. `;
  const bound = domain === undefined ? '' : `\n@${domain} #${code}`;
  return `${from}Your one-time verification code is ${code}.${bound}`;
}

/** What histories show of it: as long as the text itself, without the code. */
export function maskedOtpText({ digits, ...rest }: Omit<OtpText, 'code'> & { readonly digits: number }): string {
  return otpText({ ...rest, code: '*'.repeat(digits) });
}

/** The host name in lower case, with a dot in it; undefined for what is none, such as an address of digits or a URL. */
export function otpDomainOf(text: string): string | undefined {
  const host = text.toLowerCase();
  return HOST.test(host) ? host : undefined;
}

export function isOtpOrg(text: string): boolean {
  return !CONTROL.test(text);
}
