/** Facts about this installation. */
export interface Site {
  /** Public URL without a trailing slash. */
  readonly url: string;
  /** Contact address. */
  readonly contact: string;
  /** Sign-in with email address and password is on. */
  readonly customSignIn: boolean;
  /** The site shows figures of the delivery quality. */
  readonly figures: boolean;
}

/** Placeholders in the built pages and code samples; the server replaces them. */
const built: Site = {
  url: 'https://pennytext.example',
  contact: 'hello@pennytext.example',
  customSignIn: false,
  figures: false,
};

/** In the browser, the facts are read from the root element, where the server wrote them. */
export const site: Site =
  typeof document === 'undefined'
    ? built
    : {
        url: document.documentElement.dataset.url ?? built.url,
        contact: document.documentElement.dataset.contact ?? built.contact,
        customSignIn: document.documentElement.dataset.customSignIn === 'on',
        figures: document.documentElement.dataset.figures === 'on',
      };
