/** Facts about this installation. */
export interface Site {
  /** Its public URL without a trailing slash. */
  readonly url: string;
  /** Its contact address. */
  readonly contact: string;
  /** Whether sign-in with email address and password is on. */
  readonly customSignIn: boolean;
  /** Whether there are figures of the delivery quality to show. */
  readonly figures: boolean;
}

/** Placeholders in the built pages and code samples; the server replaces them. */
const built: Site = {
  url: 'https://pennytext.example',
  contact: 'hello@pennytext.example',
  customSignIn: false,
  figures: false,
};

/** In the browser, read from the root element, where the server wrote it. */
export const site: Site =
  typeof document === 'undefined'
    ? built
    : {
        url: document.documentElement.dataset.url ?? built.url,
        contact: document.documentElement.dataset.contact ?? built.contact,
        customSignIn: document.documentElement.dataset.customSignIn === 'on',
        figures: document.documentElement.dataset.figures === 'on',
      };
