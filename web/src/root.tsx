import type { ReactNode } from 'react';
import { Links, type LinksFunction, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import bricolage from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff2?url';
import { preferencesScript } from './browser-storage.js';
import { site } from './site.js';
import './theme.css';
import './fonts.css';
import './base.css';
import { PageFrame } from './ui/page-frame.js';
import { Toasts } from './ui/toast.js';

/** Zod's `z.config({ jitless: true })` without loading Zod: it would try `new Function`, which the Content-Security-Policy stops. */
const zodWithoutEval = 'globalThis.__zod_globalConfig={jitless:true};';

const font = (href: string) =>
  ({ rel: 'preload', href, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' }) as const;

export const links: LinksFunction = () => [
  // Early enough for the first paint; see fonts.css.
  font(bricolage),
  font(inter),
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
];

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html
      lang="en"
      data-url={site.url}
      data-contact={site.contact}
      data-custom-sign-in={site.customSignIn ? 'on' : 'off'}
      // The script below sets the color scheme on it before hydration.
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#14110f" media="(prefers-color-scheme: dark)" />
        <script dangerouslySetInnerHTML={{ __html: zodWithoutEval + preferencesScript }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Toasts />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** For public pages, which must stay small; the dashboard has its own around each view. */
export function ErrorBoundary() {
  return <PageFrame title="This page could not be loaded." lead="Check your connection and try again." />;
}

export default function Root() {
  return <Outlet />;
}
