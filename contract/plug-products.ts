/** Products that send their codes through a plug. `otp`: any other with codes, `sms`: any other with texts. */
export const plugProducts = ['supabase', 'auth0', 'logto', 'zitadel', 'otp', 'sms'] as const;
export type PlugProduct = (typeof plugProducts)[number];
