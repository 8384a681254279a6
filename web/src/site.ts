import type { MetaDescriptor, MetaFunction } from 'react-router';

/** Facts about this installation. */
export interface Site {
  /** Its public URL without a trailing slash. */
  readonly url: string;
  /** Its contact address. */
  readonly contact: string;
  /** Whether sign-in with email address and password is on. */
  readonly customSignIn: boolean;
}

/** Placeholders in the built pages and code samples; the server replaces them. */
const built: Site = { url: 'https://pennytext.example', contact: 'hello@pennytext.example', customSignIn: false };

/** In the browser, read from the root element, where the server wrote it. */
export const site: Site =
  typeof document === 'undefined'
    ? built
    : {
        url: document.documentElement.dataset.url ?? built.url,
        contact: document.documentElement.dataset.contact ?? built.contact,
        customSignIn: document.documentElement.dataset.customSignIn === 'on',
      };

const NAME = 'Pennytext';

/** The title and description of a page for tabs, search engines and shared links. */
export function pageMeta(title: string, description: string): MetaFunction {
  return ({ location }): MetaDescriptor[] => {
    const isHome = location.pathname === '/';
    const url = `${site.url}${isHome ? '/' : location.pathname.replace(/\/$/, '')}`;
    const fullTitle = isHome ? `${NAME}: ${title}` : `${title} – ${NAME}`;
    return [
      { title: fullTitle },
      { name: 'description', content: description },
      { tagName: 'link', rel: 'canonical', href: url },
      { property: 'og:site_name', content: NAME },
      { property: 'og:type', content: 'website' },
      { property: 'og:title', content: fullTitle },
      { property: 'og:description', content: description },
      { property: 'og:url', content: url },
      { property: 'og:image', content: `${site.url}/og.png` },
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
      { property: 'og:image:alt', content: 'Pennytext: Send and Receive SMS with our simple API' },
      { name: 'twitter:card', content: 'summary_large_image' },
    ];
  };
}

/** The title of a page that search engines do not index. */
export function hiddenPageMeta(title: string): MetaFunction {
  return () => [{ title: `${title} – ${NAME}` }, { name: 'robots', content: 'noindex' }];
}
