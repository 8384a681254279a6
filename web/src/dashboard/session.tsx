import { createContext, use } from 'react';
import type { SessionAnswer } from '#contract/account.js';

export const SessionContext = createContext<SessionAnswer | null>(null);

/** Who is signed in. For what is shown within the dashboard's layout, where somebody is. */
export function useSession(): SessionAnswer {
  const session = use(SessionContext);
  if (!session) throw new Error('Nothing of the dashboard is shown to nobody');
  return session;
}
