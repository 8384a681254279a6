import { site } from '../site.js';

/** The company behind the service. Operators of other installations change only this. */
export const company = {
  name: 'Pennytext LLC',
  place: 'New York, NY, USA',
  /** The governing law; completes 'the laws of …'. */
  law: 'the State of New York, USA',
} as const;

/** One address for support, sales and privacy. */
export const contactLink = `[${site.contact}](mailto:${site.contact})`;
