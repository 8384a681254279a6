import { site } from '../site.js';

/** Who runs the service. An operator of another installation puts his own here, and nowhere else. */
export const company = {
  name: 'Pennytext LLC',
  place: 'New York, NY, USA',
  /** Whose law holds, as it stands in a sentence: 'the laws of …'. */
  law: 'the State of New York, USA',
} as const;

/** The address for everything: support, sales, privacy. */
export const contactLink = `[${site.contact}](mailto:${site.contact})`;
