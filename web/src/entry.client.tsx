import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { takeEarlyClick } from './early-click.js';
import { PAGE_DATA, provideData } from './loading.js';
import { paths } from './paths.js';
import { hasData, loadPage, Root } from './routes.js';

const { pathname } = window.location;

// The page for unknown addresses has no data, wherever it is shown.
if (hasData(pathname)) {
  const json = document.getElementById(PAGE_DATA)?.textContent;
  provideData(pathname, json ? JSON.parse(json) : undefined);
}

function hydrate(): void {
  const pressed = takeEarlyClick();
  startTransition(() => {
    hydrateRoot(
      document,
      <BrowserRouter>
        <Root pressed={pressed} />
      </BrowserRouter>,
    );
  });
}

// Not awaited: pages import from this module's chunk, so an await here would deadlock.
loadPage(pathname).then(hydrate, (error: unknown) => {
  // A public page can be read without its code; the dashboard reports the failure.
  if (pathname.startsWith(paths.dashboard)) hydrate();
  else reportError(error);
});

/** Loads the page behind a link while the pointer or the keyboard is on it. */
function loadAhead({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null;
  // A failed page reports its failure when it is shown.
  if (link?.origin === window.location.origin) loadPage(link.pathname).catch(() => undefined);
}
document.addEventListener('pointerover', loadAhead, { passive: true });
document.addEventListener('focusin', loadAhead);
