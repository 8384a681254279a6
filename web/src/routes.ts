import { index, layout, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  layout('./features/site/page-shell.tsx', [
    index('./features/home/home-page.tsx'),
    route('login', './features/sign-in/login-page.tsx'),
    route('signup', './features/sign-in/signup-page.tsx'),
    route('forgot-password', './features/sign-in/recovery-page.tsx'),
    route('reset-password', './features/sign-in/recovery-page.tsx', { id: 'reset-password' }),
    layout('./features/docs/docs-layout.tsx', [
      route('docs/*', './features/docs/docs-page.tsx'),
      route('otp', './features/docs/docs-page.tsx', { id: 'otp' }),
    ]),
    route('pricing', './features/pricing/pricing-page.tsx'),
    route('faq', './features/faq/faq-page.tsx'),
    route('about', './features/about/about-page.tsx'),
    route('privacy', './features/legal/legal-page.tsx'),
    route('tos', './features/legal/legal-page.tsx', { id: 'tos' }),
    route('regions', './features/regions/regions-page.tsx'),
    route('*', './features/site/not-found-page.tsx'),
  ]),
  route('llms.txt', './features/docs/llms-text.ts'),
  route('dashboard', './features/dashboard/dashboard-layout.tsx', [
    index('./features/dashboard-home/home-page.tsx', { id: 'dashboard-home' }),
    route('send', './features/send/send-page.tsx'),
    route('bulk', './features/bulk/bulk-page.tsx'),
    route('messages', './features/messages/messages-page.tsx'),
    route('message', './features/messages/message-page.tsx'),
    route('billing', './features/billing/billing-page.tsx'),
    route('purchase', './features/purchase/purchase-page.tsx'),
    route('redeem', './features/redeem/redeem-page.tsx'),
    route('webhook', './features/webhook/webhook-page.tsx'),
    route('otp', './features/otp/otp-page.tsx', { id: 'dashboard-otp' }),
    route('key', './features/api-key/key-page.tsx'),
    route('account', './features/account/account-page.tsx'),
  ]),
] satisfies RouteConfig;
