import { paths } from '../../paths.js';
import {
  IconChartBar,
  IconCircleMinus,
  IconHome,
  IconKey,
  IconListDetails,
  IconMessageCircle,
  IconMessages,
  IconPhone,
  IconPlugConnected,
  IconReceipt,
  IconSend,
  IconShieldLock,
  IconTicket,
  IconUser,
  IconUsersGroup,
  IconWebhook,
} from './icons.js';
import { IconCoins } from '../../ui/line-icons.js';

/** The groups of the menu; the first has the views of the specification, in its order. */
export const menu = [
  {
    title: 'Overview',
    views: [
      ['Home', paths.dashboard, IconHome],
      ['Billing History', paths.dashboardBilling, IconReceipt],
      ['SMS History', paths.dashboardMessages, IconMessages],
      ['Purchase Credits', paths.dashboardPurchase, IconCoins],
      ['Redeem Code', paths.dashboardRedeem, IconTicket],
    ],
  },
  {
    title: 'Messaging',
    views: [
      ['Send SMS', paths.dashboardSend, IconSend],
      ['Send in Bulk', paths.dashboardBulk, IconUsersGroup],
      ['Conversations', paths.dashboardConversations, IconMessageCircle],
      ['Numbers', paths.dashboardNumbers, IconPhone],
      ['Opt-outs', paths.dashboardOptOuts, IconCircleMinus],
      ['Deliverability', paths.dashboardDeliverability, IconChartBar],
    ],
  },
  { title: 'Verification', views: [['One-time Passwords', paths.dashboardOtp, IconShieldLock]] },
  {
    title: 'Developers',
    views: [
      ['API Keys', paths.dashboardKey, IconKey],
      ['Connect', paths.dashboardConnect, IconPlugConnected],
      ['Webhook', paths.dashboardWebhook, IconWebhook],
      ['Requests', paths.dashboardRequests, IconListDetails],
    ],
  },
  { title: 'Settings', views: [['Account', paths.dashboardAccount, IconUser]] },
] as const;

type View = (typeof menu)[number]['views'][number];

/** The views in menu order. */
export const views: readonly View[] = menu.flatMap((group): readonly View[] => group.views);

/**
 * The menu entry of an address; the pages of a message belong to the history, a conversation to the
 * conversations, a number to the numbers.
 */
export function viewAt(pathname: string): string {
  const path = pathname.replace(/(?<=.)\/$/, '');
  if (path.startsWith(`${paths.dashboardConversations}/`)) return paths.dashboardConversations;
  if (path.startsWith(`${paths.dashboardNumbers}/`)) return paths.dashboardNumbers;
  const isMessage = path === paths.dashboardMessage || path.startsWith(`${paths.dashboardMessages}/`);
  return isMessage ? paths.dashboardMessages : path;
}

/** Whether the view at an address sets the document title: a number's page shows its label. */
export function hasOwnTitle(pathname: string): boolean {
  return pathname.startsWith(`${paths.dashboardNumbers}/`);
}

/** The document title of a view. */
export function titleAt(pathname: string): string {
  const path = viewAt(pathname);
  const [title] = views.find(([, to]) => to === path) ?? [];
  return title === undefined || path === paths.dashboard ? 'Dashboard' : title;
}
