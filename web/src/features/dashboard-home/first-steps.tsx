import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { limits } from '#contract/limits.js';
import { creditsQuery, keysQuery, sessionQuery, summaryQuery, webhookUrlQuery } from '../../api/account.js';
import { deliveriesQuery } from '../../api/webhook.js';
import { storage } from '../../browser-storage.js';
import { paths } from '../../paths.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import styles from './figures.module.css';
import { IconCircle } from '../../dashboard/frame/icons.js';
import { IconCircleCheck } from '../../ui/line-icons.js';

/** Storage key, followed by the account's id. */
const DISMISSED = 'first-steps-dismissed-';

/**
 * Steps of a new account until the person dismisses them; a single line once most are done. Hidden
 * while any of the facts is unknown.
 */
export function FirstSteps() {
  const { data: session } = useQuery(sessionQuery);
  const { data: summary } = useQuery(summaryQuery);
  const { data: keys } = useQuery(keysQuery);
  const { data: webhook } = useQuery(webhookUrlQuery);
  // Requires a delivery: a URL alone may have a typing error.
  const { data: answered } = useQuery({
    ...deliveriesQuery({ status: 'delivered' }),
    refetchOnMount: 'always',
    enabled: webhook?.receiving === true,
  });
  const { data: balance } = useQuery(creditsQuery);
  const dismissal = DISMISSED + session?.id;
  // Without browser storage the steps are dismissed until the page is left.
  const [isDismissed, setDismissed] = useState(false);
  if (!session || !summary || !keys || !webhook || !balance) return null;
  if (isDismissed || storage()?.getItem(dismissal) === 'yes') return null;
  const steps = [
    ['Make your first call with your API key', paths.sendSms, keys.lastUsedAt !== null || summary.messages > 0],
    ['Send a message', paths.dashboardSend, summary.messages > 0],
    ['See it delivered', paths.dashboardMessages, summary.delivered > 0],
    [
      'Set a webhook URL for replies',
      paths.dashboardWebhook,
      webhook.receiving && (answered?.deliveries.length ?? 0) > 0,
    ],
    ['Buy credits', paths.dashboardPurchase, balance.purchased > limits.signupCredits],
  ] as const;
  const done = steps.filter(([, , isDone]) => isDone).length;
  const next = steps.find(([, , isDone]) => !isDone);
  const dismiss = () => {
    storage()?.setItem(dismissal, 'yes');
    setDismissed(true);
  };
  // Most steps are done: the list would take more room than the remaining steps need.
  const isShort = done > steps.length / 2;
  return (
    <Card>
      <section aria-labelledby="first-steps">
        <div className={styles.stepsTop}>
          <h2 id="first-steps" className={styles.title}>
            First steps
          </h2>
          <p className={styles.note}>{next ? `${done} of ${steps.length} done` : 'All done. You are set up.'}</p>
          {isShort && next && (
            <p>
              Next: <Link to={next[1]}>{next[0]}</Link>
            </p>
          )}
          <Button onClick={dismiss}>Dismiss</Button>
        </div>
        {!isShort && (
          <ul className={styles.steps}>
            {steps.map((step) => {
              const [title, to, isDone] = step;
              return (
                <li key={title} data-done={isDone} aria-current={step === next ? 'step' : undefined}>
                  {isDone ? (
                    <IconCircleCheck size={20} aria-hidden="true" />
                  ) : (
                    <IconCircle size={20} aria-hidden="true" />
                  )}
                  <Link to={to}>{title}</Link>
                  {isDone && <span className="visually-hidden">Done</span>}
                  {step === next && <span className={styles.next}>Next</span>}
                </li>
              );
            })}
          </ul>
        )}
      </section>
    </Card>
  );
}
