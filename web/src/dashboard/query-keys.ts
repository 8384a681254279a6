/** Names of what the dashboard reads; a name that begins another covers it. */
export const queryKeys = {
  session: ['session'],
  keys: ['keys'],
  credits: ['credits'],
  activity: ['activity'],
  /** Histories, filtered or not: `[...sent, query]`. */
  sent: ['messages', 'sent'],
  received: ['messages', 'received'],
  message: (id: string) => ['message', id],
  /** `[...quotes, to, message]`. */
  quotes: ['quotes'],
  ledger: ['ledger'],
  billing: ['billing'],
  checkout: (sessionId: string) => ['checkout', sessionId],
  webhook: ['webhook'],
  webhookState: ['webhook', 'state'],
  webhookUrl: ['webhook', 'url'],
  webhookDeliveries: ['webhook', 'deliveries'],
} as const;
