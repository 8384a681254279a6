import { type ComponentType, createElement, type ReactNode } from 'react';
import './theme.css';
import './fonts.css';
import './base.css';
import { matchPath, Route, Routes, useLocation } from 'react-router';
import { NotFoundPage, PageNotLoaded, PageShell } from './features/site/page-shell.js';
import { dataOf, Loadable, LoadBoundary } from './loading.js';
import { site } from './site.js';
import { useScrollPosition } from './ui/hooks.js';
import { Toasts } from './ui/toast.js';

interface Page {
  /** Its address, as a pattern of React Router. */
  readonly path: string;
  /** The file of its component: a chunk of its own. */
  readonly file: string;
  /** Whether it shows what page-data.server.ts computed at build time. */
  readonly hasData?: boolean;
}

const publicPages: readonly Page[] = [
  { path: '/', file: 'home/home-page', hasData: true },
  { path: '/login', file: 'sign-in/login-page' },
  { path: '/signup', file: 'sign-in/signup-page' },
  { path: '/forgot-password', file: 'sign-in/recovery-page' },
  { path: '/reset-password', file: 'sign-in/recovery-page' },
  { path: '/docs/*', file: 'docs/docs-page', hasData: true },
  { path: '/otp', file: 'docs/docs-page', hasData: true },
  { path: '/pricing', file: 'pricing/pricing-page', hasData: true },
  { path: '/faq', file: 'faq/faq-page', hasData: true },
  { path: '/about', file: 'about/about-page', hasData: true },
  { path: '/privacy', file: 'legal/legal-page', hasData: true },
  { path: '/tos', file: 'legal/legal-page', hasData: true },
  { path: '/regions', file: 'regions/regions-page' },
  { path: '/quality', file: 'quality/quality-page' },
  { path: '/status', file: 'status/status-page' },
];

const DASHBOARD_LAYOUT = 'dashboard/dashboard-layout';

const dashboardPages: readonly Page[] = [
  { path: '/dashboard', file: 'dashboard-home/home-page' },
  { path: '/dashboard/send', file: 'send/send-page' },
  { path: '/dashboard/bulk', file: 'bulk/bulk-page' },
  { path: '/dashboard/messages', file: 'messages/messages-page' },
  { path: '/dashboard/messages/:messageId/record', file: 'messages/record-page' },
  { path: '/dashboard/conversations', file: 'messages/conversations-page' },
  { path: '/dashboard/conversations/:number', file: 'messages/conversation-page' },
  { path: '/dashboard/message', file: 'messages/message-page' },
  { path: '/dashboard/billing', file: 'billing/billing-page' },
  { path: '/dashboard/purchase', file: 'purchase/purchase-page' },
  { path: '/dashboard/redeem', file: 'redeem/redeem-page' },
  { path: '/dashboard/webhook', file: 'webhook/webhook-page' },
  { path: '/dashboard/otp', file: 'otp/otp-page' },
  { path: '/dashboard/key', file: 'api-key/key-page' },
  { path: '/dashboard/requests', file: 'requests/requests-page' },
  { path: '/dashboard/account', file: 'account/account-page' },
];

const modules = import.meta.glob<{ default: ComponentType }>('./features/*/*-{page,layout}.tsx');

const components = new Map(
  Object.entries(modules).map(([path, load]) => [path, new Loadable(async () => (await load()).default)]),
);

const sourceOf = (file: string): string => `./features/${file}.tsx`;

function componentOf(file: string): Loadable<ComponentType> {
  const component = components.get(sourceOf(file));
  if (!component) throw new Error(`web/src/routes.tsx names ${sourceOf(file)}, which does not exist`);
  return component;
}

function pageAt(pathname: string): Page | undefined {
  return [...publicPages, ...dashboardPages].find(({ path }) => matchPath(path, pathname));
}

/** The files whose components show an address; none for an unknown one. */
function filesAt(pathname: string): readonly string[] {
  const page = pageAt(pathname);
  if (!page) return [];
  return dashboardPages.includes(page) ? [DASHBOARD_LAYOUT, page.file] : [page.file];
}

/** The source files of an address, as Vite's manifest names them. */
export const sourcesAt = (pathname: string): readonly string[] =>
  filesAt(pathname).map((file) => sourceOf(file).replace('./', 'src/'));

export const hasData = (pathname: string): boolean => pageAt(pathname)?.hasData ?? false;

/** Loads all that an address needs, so that it opens at once and without a connection. */
export async function loadPage(pathname: string): Promise<void> {
  const files = filesAt(pathname).map((file) => componentOf(file).load());
  await Promise.all([...files, hasData(pathname) && dataOf(pathname).load()]);
}

interface RootProps {
  /** At build time: what the head and the end of the body hold beside what the pages put there. */
  readonly head?: ReactNode;
  readonly end?: ReactNode;
}

/** The whole document, inside a router. */
export function Root({ head, end }: RootProps) {
  return (
    <html
      lang="en"
      data-url={site.url}
      data-contact={site.contact}
      data-custom-sign-in={site.customSignIn ? 'on' : 'off'}
      // A script in the head sets the color scheme on it before hydration.
      suppressHydrationWarning
    >
      <head>{head}</head>
      <body>
        <App />
        <Toasts />
        {end}
      </body>
    </html>
  );
}

/** The page at the address of the router. */
function App() {
  const { pathname } = useLocation();
  useScrollPosition();
  return (
    <LoadBoundary at={pathname} fallback={<PageNotLoaded />}>
      <Routes>
        <Route element={<PageShell />}>
          {publicPages.map((page) => (
            <Route key={page.path} path={page.path} element={<PageView {...page} />} />
          ))}
          <Route path="*" element={<NotFoundPage />} />
        </Route>
        <Route element={<Loaded file={DASHBOARD_LAYOUT} />}>
          {dashboardPages.map(({ path, file }) => (
            <Route key={path} path={path} element={<Loaded file={file} />} />
          ))}
        </Route>
      </Routes>
    </LoadBoundary>
  );
}

function PageView({ file, hasData: isBuilt = false }: Omit<Page, 'path'>) {
  const { pathname } = useLocation();
  const isUnknown = isBuilt && dataOf(pathname).read() === undefined;
  return isUnknown ? <NotFoundPage /> : <Loaded file={file} />;
}

function Loaded({ file }: { file: string }) {
  return createElement(componentOf(file).read());
}
