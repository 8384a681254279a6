import type { Config } from '#core/platform/config/config.js';

/** What the built pages say where they mean this installation; web/src/site.ts holds the same. */
const built = { url: 'https://pennytext.example', contact: 'hello@pennytext.example' };

export type SiteConfig = Pick<Config, 'http' | 'mail' | 'signIn'>;

/** The characters of an e-mail address that mean nothing in HTML, JSON or XML. */
const address = /[\w.!#$%*+/=?^`{|}~-]+@[\w.-]+/;

/** Writes what is true of this installation into what was built for any: its URL, the address that its e-mails come from, its sign-in. */
export function forThisSite({ http, mail, signIn }: SiteConfig): (text: string) => string {
  const url = new URL(http.publicUrl).href.replace(/\/+$/, '');
  const contact = address.exec(mail.from)?.[0] ?? built.contact;
  const customSignIn = customSignInIs(signIn.customEnabled ? 'on' : 'off');
  return (text) =>
    text.replaceAll(built.contact, contact).replaceAll(built.url, url).replaceAll(customSignInIs('off'), customSignIn);
}

/** As the root element of a page has it. */
function customSignInIs(value: 'on' | 'off'): string {
  return `data-custom-sign-in="${value}"`;
}
