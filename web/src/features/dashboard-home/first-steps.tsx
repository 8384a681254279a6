import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { creditsQuery, keysQuery, summaryQuery, webhookUrlQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { Card } from '../../ui/surface.js';
import styles from './figures.module.css';
import { IconCircle } from '../../dashboard/frame/icons.js';
import { IconCircleCheck } from '../../ui/line-icons.js';

/**
 * What a new account does first, until its first message is delivered. Facts that could not be read
 * leave it out.
 */
export function FirstSteps() {
  const { data: summary } = useQuery(summaryQuery);
  const { data: keys } = useQuery(keysQuery);
  const { data: webhook } = useQuery(webhookUrlQuery);
  const { data: balance } = useQuery(creditsQuery);
  if (!summary || summary.delivered > 0 || !keys || !webhook || !balance) return null;
  const steps = [
    ['Make your first call with your API key', paths.sendSms, keys.lastUsedAt !== null],
    ['Send a message', paths.dashboardSend, summary.messages > 0],
    ['See it delivered', paths.dashboardMessages, false],
    ['Set a webhook URL for replies', paths.dashboardWebhook, webhook.receiving],
    ['Buy credits', paths.dashboardPurchase, balance.purchased > limits.signupCredits],
  ] as const;
  return (
    <Card>
      <section aria-labelledby="first-steps">
        <h2 id="first-steps" className={styles.title}>
          First steps
        </h2>
        <ul className={styles.steps}>
          {steps.map(([title, to, isDone]) => (
            <li key={title} data-done={isDone}>
              {isDone ? <IconCircleCheck size={20} aria-hidden="true" /> : <IconCircle size={20} aria-hidden="true" />}
              <Link to={to}>{title}</Link>
              {isDone && <span className="visually-hidden">Done</span>}
            </li>
          ))}
        </ul>
      </section>
    </Card>
  );
}
