import { useLocation } from 'react-router';
import { site } from './site.js';

const NAME = 'Pennytext';

interface PageMetaProps {
  readonly title: string;
  readonly description: string;
}

/**
 * The title and description of a page for tabs, search engines and shared links; React moves them
 * into the head.
 */
export function PageMeta({ title, description }: PageMetaProps) {
  const { pathname } = useLocation();
  const isHome = pathname === '/';
  const url = `${site.url}${isHome ? '/' : pathname.replace(/\/$/, '')}`;
  const fullTitle = isHome ? `${NAME}: ${title}` : `${title} – ${NAME}`;
  return (
    <>
      <title>{fullTitle}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={url} />
      <meta property="og:site_name" content={NAME} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={fullTitle} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={`${site.url}/og.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="Pennytext: Send and Receive SMS with our simple API" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** The title of a page that search engines do not index. */
export function HiddenPageMeta({ title }: { title: string }) {
  return (
    <>
      <title>{`${title} – ${NAME}`}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}
