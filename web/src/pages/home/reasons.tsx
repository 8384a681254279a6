import { IconArrowsExchange, IconCoins, IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.js';
import styles from './reasons.module.css';

/** Why somebody would choose it, plainly. */
export function Reasons() {
  return (
    <section className={styles.reasons} aria-label="Why Pennytext">
      <div>
        <IconCoins size={28} aria-hidden="true" />
        <h2>Pay as you go</h2>
        <p>
          Buy credits when you need them. No subscription, no minimum. A message that is not delivered costs nothing.
        </p>
      </div>
      <div>
        <IconTerminal2 size={28} aria-hidden="true" />
        <h2>One POST</h2>
        <p>
          Number, message, key: that is the whole request, as JSON or as a form. Add <code>_test</code> to the key and
          nothing is sent or charged.
        </p>
      </div>
      <div>
        <IconArrowsExchange size={28} aria-hidden="true" />
        <h2>Replies and one-time passwords</h2>
        <p>
          Replies come to your webhook. <Link to={paths.otp}>OTP verification</Link> sends a code and checks it, without
          a table of your own.
        </p>
      </div>
    </section>
  );
}
