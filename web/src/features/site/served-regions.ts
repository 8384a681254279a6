import { useEffect, useState } from 'react';
import type { RegionView } from '#contract/public-figures.js';
import { readRegions } from './public-figures.js';

/** What was read last: the next page begins with it. */
let latest: readonly RegionView[] | undefined;

/**
 * The countries and prices as they are now, read when the page is opened. Undefined until they are
 * there, and if they could not be read: the page shows those that it was built with.
 */
export function useServedRegions(): readonly RegionView[] | undefined {
  const [served, setServed] = useState(latest);
  useEffect(() => {
    let isShown = true;
    readRegions().then(
      ({ regions }) => {
        latest = regions;
        if (isShown) setServed(regions);
      },
      // What is shown stays; prices are checked again before anything is sent.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, []);
  return served;
}
