import { Link } from 'react-router';
import { paths } from '../../../paths.js';
import { Card } from '../../../ui/card.js';
import styles from './docs-card.module.css';

const links = [
  ['View Full Documentation', paths.docs],
  ['Send an SMS using HTTP POST', paths.sendSms],
  ['Testing the API', paths.testing],
  ['Receiving SMS Replies', paths.receiving],
  ['OTP Verification', paths.otp],
] as const;

/** Where it is written how to call the API. */
export function DocsCard() {
  return (
    <Card>
      <h2 className={styles.title}>Documentation</h2>
      <ul className={styles.links}>
        {links.map(([title, to]) => (
          <li key={to}>
            <Link to={to}>{title}</Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
