import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  layout('./components/page-shell.tsx', [
    index('./pages/home/home-page.tsx'),
    route('login', './pages/login/login-page.tsx'),
    route('signup', './pages/signup/signup-page.tsx'),
    layout('./pages/docs/docs-layout.tsx', [
      route('docs/*', './pages/docs/docs-page.tsx'),
      route('otp', './pages/docs/docs-page.tsx', { id: 'otp' }),
    ]),
    route('pricing', './pages/pricing/pricing-page.tsx'),
    route('faq', './pages/faq/faq-page.tsx'),
    route('about', './pages/about/about-page.tsx'),
    route('privacy', './pages/privacy/privacy-page.tsx'),
    route('tos', './pages/tos/tos-page.tsx'),
    route('regions', './pages/regions/regions-page.tsx'),
    route('*', './pages/not-found/not-found-page.tsx'),
  ]),
  route('llms.txt', './pages/llms-text/llms-text.ts'),
  route('dashboard', './pages/dashboard/dashboard-layout.tsx', [
    index('./pages/dashboard/home/home-page.tsx', { id: 'dashboard-home' }),
    route('send', './pages/dashboard/send/send-page.tsx'),
    route('messages', './pages/dashboard/messages/messages-page.tsx'),
    route('message', './pages/dashboard/messages/message-page.tsx'),
    route('billing', './pages/dashboard/billing/billing-page.tsx'),
    route('purchase', './pages/dashboard/purchase/purchase-page.tsx'),
    route('redeem', './pages/dashboard/redeem/redeem-page.tsx'),
    route('webhook', './pages/dashboard/webhook/webhook-page.tsx'),
    route('key', './pages/dashboard/key/key-page.tsx'),
  ]),
  route('dashboardpage', './pages/dashboard/old-dashboard-address.tsx'),
] satisfies RouteConfig;
