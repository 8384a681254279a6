/** What an e-mail is about, as it is stored until it is written. */
export type MailContent =
  | { readonly kind: 'welcome'; readonly displayName: string; readonly credits: number }
  | {
      readonly kind: 'receipt';
      readonly credits: number;
      readonly amountCents: number;
      /** ISO 8601. */
      readonly paidAt: string;
      readonly receiptUrl: string | null;
    }
  | { readonly kind: 'webhook_disabled'; readonly host: string; readonly reason: 'gone' | 'failing' };
