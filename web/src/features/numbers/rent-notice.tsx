import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { NumberView } from '#contract/numbers.js';
import { creditsQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { credits } from '../../ui/credits.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/surface.js';
import { uncoveredRent } from './uncovered-rent.js';

/** Warns of the first rent of these numbers that the balance does not cover. */
export function RentNotice({ numbers }: { readonly numbers: readonly NumberView[] }) {
  const { data: money } = useQuery(creditsQuery);
  if (!money) return null;
  const spendable = money.balance - money.frozen;
  const rent = uncoveredRent(numbers, spendable);
  if (!rent) return null;
  return (
    <Notice kind="info">
      Rent due by <Moment at={rent.at} />: {credits(rent.credits)}
      {rent.numbers > 1 && ` for ${rent.numbers} numbers`}. Your balance is {spendable.toLocaleString('en-US')}.{' '}
      <Link to={paths.dashboardPurchase}>Purchase credits</Link>
    </Notice>
  );
}
