import { paths } from '../../paths.js';
import {
  IconBell,
  IconChartBar,
  IconHome,
  IconKey,
  IconListDetails,
  IconMessageCircle,
  IconMessages,
  IconReceipt,
  IconSend,
  IconShieldLock,
  IconTicket,
  IconUser,
  IconUsersGroup,
} from './icons.js';
import { IconCoins } from '../../ui/line-icons.js';

/** The views in menu order. */
export const views = [
  ['Home', paths.dashboard, IconHome],
  ['Send SMS', paths.dashboardSend, IconSend],
  ['Send in Bulk', paths.dashboardBulk, IconUsersGroup],
  ['SMS History', paths.dashboardMessages, IconMessages],
  ['Conversations', paths.dashboardConversations, IconMessageCircle],
  ['Deliverability', paths.dashboardDeliverability, IconChartBar],
  ['Billing History', paths.dashboardBilling, IconReceipt],
  ['Purchase Credits', paths.dashboardPurchase, IconCoins],
  ['Redeem Code', paths.dashboardRedeem, IconTicket],
  ['Webhook', paths.dashboardWebhook, IconBell],
  ['One-time Passwords', paths.dashboardOtp, IconShieldLock],
  ['API Keys', paths.dashboardKey, IconKey],
  ['Requests', paths.dashboardRequests, IconListDetails],
  ['Account', paths.dashboardAccount, IconUser],
] as const;

/**
 * The menu entry of an address; the pages of a message belong to the history, a conversation to the
 * conversations.
 */
export function viewAt(pathname: string): string {
  const path = pathname.replace(/(?<=.)\/$/, '');
  if (path.startsWith(`${paths.dashboardConversations}/`)) return paths.dashboardConversations;
  const isMessage = path === paths.dashboardMessage || path.startsWith(`${paths.dashboardMessages}/`);
  return isMessage ? paths.dashboardMessages : path;
}

/** The document title of a view. */
export function titleAt(pathname: string): string {
  const path = viewAt(pathname);
  const [title] = views.find(([, to]) => to === path) ?? [];
  return title === undefined || path === paths.dashboard ? 'Dashboard' : title;
}
