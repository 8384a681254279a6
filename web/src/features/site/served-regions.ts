import { useEffect, useState } from 'react';
import type { RegionView } from '#contract/public-figures.js';
import { readRegions } from './public-figures.js';

/** Latest answer: the next page begins with it. */
let latest: readonly RegionView[] | undefined;

/**
 * Current countries and prices, read when the page is opened. Undefined until the answer arrives
 * and after a failure: the page then shows the regions that it was built with.
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
      // Keeps the shown prices; they are checked again before anything is sent.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, []);
  return served;
}
