import { useEffect, useState } from 'react';

/** The link that shows the list. */
export const LIST_ADDRESS = '#/';

/** The link that opens one thing of the list. */
export function addressOf(id: string): string {
  return `#/${id}`;
}

/** What is open, by the address; null for the list alone. */
export function useOpenId(): string | null {
  const [openId, setOpenId] = useState(idInAddress);
  useEffect(() => {
    const follow = () => setOpenId(idInAddress());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return openId;
}

function idInAddress(): string | null {
  const id = window.location.hash.replace(/^#\/?/, '');
  return id === '' ? null : id;
}
