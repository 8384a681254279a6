import { useEffect, useState } from 'react';
import { Outlet } from 'react-router';
import { Button } from '../../ui/button.js';
import { View } from '../../ui/view.js';

/** Around each view, so that the menu stays when one cannot be loaded. */
export default Outlet;

/** In place of a view whose code could not be loaded. */
export function ErrorBoundary() {
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(() => {
    const retry = () => void reload();
    // After a deployment an open page names files that are gone.
    if (mayReload()) retry();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
  return (
    <div role="alert">
      <View title="This page could not be loaded." lead="Check your connection and try again.">
        {isUnreachable && <p>Pennytext could not be reached.</p>}
        <p>
          <Button look="primary" onClick={() => void reload().then(() => setUnreachable(true))}>
            Try again
          </Button>
        </p>
      </View>
    </div>
  );
}

/** Reloads the page if the server answers: the browser's own error page would take its place otherwise. */
async function reload(): Promise<void> {
  const answer = fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
  const isReachable = await answer.then(
    ({ status }) => status < 500,
    () => false,
  );
  if (isReachable) window.location.reload();
}

const RELOADED_AT = 'reloaded-at';
const AGAIN_AFTER_MS = 60_000;

/** Once a minute, as a page that fails again after it would reload forever; never without storage to remember it in. */
function mayReload(): boolean {
  try {
    const isFirst = Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) > AGAIN_AFTER_MS;
    if (isFirst) sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return isFirst;
  } catch {
    return false;
  }
}
