import type { Config } from '#core/config/config.js';

/** What the built pages say where they mean this installation; web/src/site.ts holds the same. */
const built = { url: 'https://pennytext.example', contact: 'hello@pennytext.example' };

/** The characters of an e-mail address that mean nothing in HTML, JSON or XML. */
const address = /[\w.!#$%*+/=?^`{|}~-]+@[\w.-]+/;

/** Writes the public URL and the address for questions, which is that of our e-mails, into what was built for any installation. */
export function forThisSite({ http, mail }: Pick<Config, 'http' | 'mail'>): (text: string) => string {
  const url = new URL(http.publicUrl).href.replace(/\/+$/, '');
  const contact = address.exec(mail.from)?.[0] ?? built.contact;
  return (text) => text.replaceAll(built.contact, contact).replaceAll(built.url, url);
}
