/** What an installation says of itself. */
export interface Site {
  /** Where people reach it, without a slash at the end. */
  readonly url: string;
  /** The address that people write to. */
  readonly contact: string;
  /** Whether people may sign in with e-mail address and password. */
  readonly customSignIn: boolean;
}

/** Stands in the built pages and in the code samples; the server writes what is true of it in the place of both. */
const built: Site = { url: 'https://pennytext.example', contact: 'hello@pennytext.example', customSignIn: false };

/** The root element carries it, so that a page in the browser says what the server wrote. */
export const site: Site =
  typeof document === 'undefined'
    ? built
    : {
        url: document.documentElement.dataset.url ?? built.url,
        contact: document.documentElement.dataset.contact ?? built.contact,
        customSignIn: document.documentElement.dataset.customSignIn === 'on',
      };
