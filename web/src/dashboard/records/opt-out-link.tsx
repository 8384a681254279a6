import { Link } from 'react-router';
import { optOutsPath } from '../../paths.js';
import { recipientOf } from '../../ui/format.js';

/** Our code and the carrier's code for a message to a person who has opted out. */
const optOutCodes: readonly (string | undefined)[] = ['recipient_opted_out', '21610'];

export const isOptOut = (code: string | undefined): boolean => optOutCodes.includes(code);

/** Links a refusal to the opt-out: its person, time and origin. */
export function OptOutLink({ number }: { number?: string | undefined }) {
  return <Link to={optOutsPath(number === undefined ? undefined : recipientOf(number).address)}>See opt-outs</Link>;
}
