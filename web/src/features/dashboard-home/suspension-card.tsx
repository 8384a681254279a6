import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SendingAnswer } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { resumeSending, sendingQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import styles from './home-page.module.css';

/** Explains a suspension from sending, and lets the customer lift it once. Shows nothing while the account may send. */
export function SuspensionCard() {
  const { data } = useQuery(sendingQuery);
  if (!data?.suspension) return null;
  const { suspendedAt, recipients, undelivered, mayLift } = data.suspension;
  return (
    <Card>
      <h2 className={styles.title}>Sending is suspended</h2>
      <p>
        Since {suspendedAt} your account cannot send: of {recipients} recipients within {limits.suspensionHours} hours,{' '}
        {undelivered} got none of your messages. That happens with old or mistyped lists, and with numbers that do not
        exist. Messages that were not delivered are refunded as always, and replies still reach you.
      </p>
      {mayLift ? <ResumeForm /> : <p>You have lifted a suspension before. Contact support to send again.</p>}
    </Card>
  );
}

function ResumeForm() {
  const client = useQueryClient();
  const [isRead, setRead] = useState(false);
  const resume = useMutation({
    mutationFn: resumeSending,
    onSuccess: (answer: SendingAnswer) => {
      client.setQueryData(sendingQuery.queryKey, answer);
      showToast('You can send again.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    resume.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <p>Remove numbers that cannot be reached before you send again. You can lift a suspension yourself once.</p>
      <label>
        <input type="checkbox" checked={isRead} onChange={({ target }) => setRead(target.checked)} /> I have read why,
        and removed the numbers that cannot be reached.
      </label>
      <Button type="submit" look="primary" disabled={!isRead || resume.isPending}>
        {resume.isPending ? 'Loading...' : 'Resume sending'}
      </Button>
      {resume.error && <p role="alert">{failureOf(resume.error).message}</p>}
    </form>
  );
}
