import type { ReactNode } from 'react';
import type { MessageView } from '../../phone/phone.routes.js';
import { IconAlertCircle, IconCheck, IconChecks, IconClock } from './icons.js';

/** Names of the carriers, and of Twilio's channels with faults of their own. */
export const carrierNames = {
  twilio: 'Twilio',
  telnyx: 'Telnyx',
  smsc: 'SMPP',
  whatsapp: 'WhatsApp',
  voice: 'Calls',
} as const;

/** A state of a message in a few words. */
export interface StatusView {
  readonly icon: ReactNode;
  readonly label: string;
  readonly tone?: 'good' | 'bad';
}

export const statusIcons = {
  waiting: <IconClock size={15} aria-hidden />,
  sent: <IconCheck size={15} aria-hidden />,
  delivered: <IconChecks size={15} aria-hidden />,
  failed: <IconAlertCircle size={15} aria-hidden />,
};

const statuses: Readonly<Record<string, StatusView>> = {
  accepted: { icon: statusIcons.waiting, label: 'Accepted' },
  queued: { icon: statusIcons.waiting, label: 'Queued' },
  sent: { icon: statusIcons.sent, label: 'Sent' },
  delivered: { icon: statusIcons.delivered, label: 'Delivered', tone: 'good' },
  read: { icon: statusIcons.delivered, label: 'Read', tone: 'good' },
  undelivered: { icon: statusIcons.failed, label: 'Not delivered', tone: 'bad' },
  failed: { icon: statusIcons.failed, label: 'Not delivered', tone: 'bad' },
};

/** The state of a message of the product. */
export function sentStatus({ status, problem }: Pick<MessageView, 'status' | 'problem'>): StatusView {
  const known = statuses[status] ?? { icon: statusIcons.waiting, label: status };
  return problem === null ? known : { ...known, label: `${known.label} (${problem})` };
}
