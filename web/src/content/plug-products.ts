import type { PlugProduct } from '#contract/plug-products.js';
import { paths } from '../paths.js';

interface ShownProduct {
  /** Title among the choices of the page Connect. */
  readonly title: string;
  /** Name in a sentence: 'Sends the calls of Supabase.' */
  readonly name: string;
  /** Proposed name of the plug. */
  readonly keyName: string;
  /** Documentation page. */
  readonly page: string;
}

const named = (name: string, page: string): ShownProduct => ({ title: name, name, keyName: name, page });

/** Names and pages of the products that send their codes and texts through a plug. */
export const shownProducts: Readonly<Record<PlugProduct, ShownProduct>> = {
  supabase: named('Supabase', paths.connectSupabase),
  auth0: named('Auth0', paths.connectAuth0),
  logto: named('Logto', paths.connectLogto),
  zitadel: named('ZITADEL', paths.connectZitadel),
  otp: {
    title: 'Keycloak, Authentik, Ory and others',
    name: 'an auth product',
    keyName: 'Auth product',
    page: paths.connectOther,
  },
  sms: {
    title: 'Novu and others that send texts',
    name: 'a product that sends texts',
    keyName: 'Texts',
    page: paths.connectTexts,
  },
};
