import { type ComponentType, createElement, type ReactNode, useEffect } from 'react';
import './theme.css';
import './fonts.css';
import './base.css';
import { matchPath, Route, Routes, useLocation } from 'react-router';
import { BrokenPage, NotFoundPage, PageShell } from './features/site/page-shell.js';
import { Boundary } from './ui/boundary.js';
import { dataOf, Loadable, LoadPage } from './loading.js';
import { site } from './site.js';
import { useScrollPosition } from './ui/hooks.js';
import { Toasts } from './ui/toast.js';

/** The code of a page: a chunk of its own. */
interface PageCode {
  /** Source file, as Vite's manifest names it. */
  readonly source: string;
  readonly component: Loadable<ComponentType>;
}

interface Page {
  /** Address, as a pattern of React Router. */
  readonly path: string;
  readonly code: PageCode;
  /** The page shows data that page-data.server.ts computed at build time. */
  readonly hasData?: boolean;
}

const page = (file: string, load: () => Promise<{ default: ComponentType }>): PageCode => ({
  source: `src/${file}.tsx`,
  component: new Loadable(async () => (await load()).default),
});

const code = {
  home: page('features/home/home-page', () => import('./features/home/home-page.js')),
  login: page('features/sign-in/login-page', () => import('./features/sign-in/login-page.js')),
  signup: page('features/sign-in/signup-page', () => import('./features/sign-in/signup-page.js')),
  recovery: page('features/sign-in/recovery-page', () => import('./features/sign-in/recovery-page.js')),
  docs: page('features/docs/docs-page', () => import('./features/docs/docs-page.js')),
  pricing: page('features/pricing/pricing-page', () => import('./features/pricing/pricing-page.js')),
  faq: page('features/faq/faq-page', () => import('./features/faq/faq-page.js')),
  about: page('features/about/about-page', () => import('./features/about/about-page.js')),
  legal: page('features/legal/legal-page', () => import('./features/legal/legal-page.js')),
  regions: page('features/regions/regions-page', () => import('./features/regions/regions-page.js')),
  quality: page('features/quality/quality-page', () => import('./features/quality/quality-page.js')),
  status: page('features/status/status-page', () => import('./features/status/status-page.js')),
  dashboardHome: page('features/dashboard-home/home-page', () => import('./features/dashboard-home/home-page.js')),
  send: page('features/send/send-page', () => import('./features/send/send-page.js')),
  bulk: page('features/bulk/bulk-page', () => import('./features/bulk/bulk-page.js')),
  messages: page('features/messages/messages-page', () => import('./features/messages/messages-page.js')),
  record: page('features/messages/record-page', () => import('./features/messages/record-page.js')),
  deliverability: page(
    'features/deliverability/deliverability-page',
    () => import('./features/deliverability/deliverability-page.js'),
  ),
  conversations: page(
    'features/messages/conversations-page',
    () => import('./features/messages/conversations-page.js'),
  ),
  conversation: page(
    'features/messages/conversation-beside',
    () => import('./features/messages/conversation-beside.js'),
  ),
  optOuts: page('features/messages/opt-outs-page', () => import('./features/messages/opt-outs-page.js')),
  numbers: page('features/numbers/numbers-page', () => import('./features/numbers/numbers-page.js')),
  number: page('features/numbers/number-page', () => import('./features/numbers/number-page.js')),
  message: page('features/messages/message-page', () => import('./features/messages/message-page.js')),
  billing: page('features/billing/billing-page', () => import('./features/billing/billing-page.js')),
  purchase: page('features/purchase/purchase-page', () => import('./features/purchase/purchase-page.js')),
  redeem: page('features/redeem/redeem-page', () => import('./features/redeem/redeem-page.js')),
  webhook: page('features/webhook/webhook-page', () => import('./features/webhook/webhook-page.js')),
  otp: page('features/otp/otp-page', () => import('./features/otp/otp-page.js')),
  key: page('features/api-key/key-page', () => import('./features/api-key/key-page.js')),
  connect: page('features/connect/connect-page', () => import('./features/connect/connect-page.js')),
  requests: page('features/requests/requests-page', () => import('./features/requests/requests-page.js')),
  account: page('features/account/account-page', () => import('./features/account/account-page.js')),
  dashboardLayout: page('dashboard/frame/dashboard-layout', () => import('./dashboard/frame/dashboard-layout.js')),
};

const publicPages: readonly Page[] = [
  { path: '/', code: code.home, hasData: true },
  { path: '/login', code: code.login },
  { path: '/signup', code: code.signup },
  { path: '/forgot-password', code: code.recovery },
  { path: '/reset-password', code: code.recovery },
  { path: '/docs/*', code: code.docs, hasData: true },
  { path: '/otp', code: code.docs, hasData: true },
  { path: '/pricing', code: code.pricing, hasData: true },
  { path: '/faq', code: code.faq, hasData: true },
  { path: '/about', code: code.about, hasData: true },
  { path: '/privacy', code: code.legal, hasData: true },
  { path: '/tos', code: code.legal, hasData: true },
  { path: '/regions', code: code.regions },
  { path: '/quality', code: code.quality },
  { path: '/status', code: code.status },
];

const dashboardPages: readonly Page[] = [
  { path: '/dashboard', code: code.dashboardHome },
  { path: '/dashboard/send', code: code.send },
  { path: '/dashboard/bulk', code: code.bulk },
  { path: '/dashboard/messages', code: code.messages },
  { path: '/dashboard/messages/:messageId/record', code: code.record },
  { path: '/dashboard/deliverability', code: code.deliverability },
  { path: '/dashboard/conversations', code: code.conversations },
  { path: '/dashboard/conversations/:number', code: code.conversation },
  { path: '/dashboard/opt-outs', code: code.optOuts },
  { path: '/dashboard/numbers', code: code.numbers },
  { path: '/dashboard/numbers/:numberId', code: code.number },
  { path: '/dashboard/message', code: code.message },
  { path: '/dashboard/billing', code: code.billing },
  { path: '/dashboard/purchase', code: code.purchase },
  { path: '/dashboard/redeem', code: code.redeem },
  { path: '/dashboard/webhook', code: code.webhook },
  { path: '/dashboard/otp', code: code.otp },
  { path: '/dashboard/key', code: code.key },
  { path: '/dashboard/connect', code: code.connect },
  { path: '/dashboard/requests', code: code.requests },
  { path: '/dashboard/account', code: code.account },
];

function pageAt(pathname: string): Page | undefined {
  return [...publicPages, ...dashboardPages].find(({ path }) => matchPath(path, pathname));
}

/** The code that shows an address; empty for an unknown address. */
function codeAt(pathname: string): readonly PageCode[] {
  const found = pageAt(pathname);
  if (!found) return [];
  return dashboardPages.includes(found) ? [code.dashboardLayout, found.code] : [found.code];
}

/** The source files of an address, as Vite's manifest names them. */
export const sourcesAt = (pathname: string): readonly string[] => codeAt(pathname).map(({ source }) => source);

export const hasData = (pathname: string): boolean => pageAt(pathname)?.hasData ?? false;

/** Loads all code and data of an address, so that it opens at once and without a connection. */
export async function loadPage(pathname: string): Promise<void> {
  const components = codeAt(pathname).map(({ component }) => component.load());
  await Promise.all([...components, hasData(pathname) && dataOf(pathname).load()]);
}

interface RootProps {
  /** At build time: additional content of the head; `end` is content at the end of the body. */
  readonly head?: ReactNode;
  readonly end?: ReactNode;
  /** In the browser: the button that was pressed before the page was hydrated. */
  readonly pressed?: HTMLButtonElement | undefined;
}

/** The whole document, inside a router. */
export function Root({ head, end, pressed }: RootProps) {
  useEffect(() => {
    if (pressed?.isConnected) pressed.click();
  }, [pressed]);
  return (
    <html
      lang="en"
      data-url={site.url}
      data-contact={site.contact}
      data-custom-sign-in={site.customSignIn ? 'on' : 'off'}
      data-figures={site.figures ? 'on' : 'off'}
      // A script in the head sets the color scheme on it before hydration.
      suppressHydrationWarning
    >
      <head>{head}</head>
      <body>
        <LoadPage value={loadPage}>
          <App />
        </LoadPage>
        <Toasts />
        {end}
      </body>
    </html>
  );
}

/** The page at the address of the router. */
function App() {
  const { pathname, search } = useLocation();
  useScrollPosition();
  return (
    <Boundary at={`${pathname}${search}`} fallback={BrokenPage}>
      <Routes>
        <Route element={<PageShell />}>
          {publicPages.map((one) => (
            <Route key={one.path} path={one.path} element={<PageView {...one} />} />
          ))}
          <Route path="*" element={<NotFoundPage />} />
        </Route>
        <Route element={<Loaded {...code.dashboardLayout} />}>
          {dashboardPages.map((one) => (
            <Route key={one.path} path={one.path} element={<Loaded {...one.code} />} />
          ))}
        </Route>
      </Routes>
    </Boundary>
  );
}

function PageView({ code: shown, hasData: isBuilt = false }: Omit<Page, 'path'>) {
  const { pathname } = useLocation();
  const isUnknown = isBuilt && dataOf(pathname).read() === undefined;
  return isUnknown ? <NotFoundPage /> : <Loaded {...shown} />;
}

function Loaded({ component }: Pick<PageCode, 'component'>) {
  return createElement(component.read());
}
