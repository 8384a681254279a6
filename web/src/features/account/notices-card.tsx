import { type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { noticeKinds, type AccountAnswer } from '#contract/account-settings.js';
import { accountQuery, chooseNotices } from '../../api/account-settings.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../dashboard/failures.js';
import styles from './account.module.css';

const labels = {
  new_device: 'A sign-in from a new device',
  key_changed: 'An API key was created or replaced',
  webhook_changed: 'The webhook was changed',
  payment_disputed: 'A payment is disputed',
} as const;

/** Which e-mail notices are sent. The form is uncontrolled: it is rendered again with each answer. */
export function NoticesCard({ account: { email, notices } }: { account: AccountAnswer }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: chooseNotices,
    onSuccess: (answer) => {
      client.setQueryData(accountQuery.queryKey, answer);
      showToast('Your e-mail notices were saved.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    save.mutate({ notices: noticeKinds.filter((kind) => form.has(kind)) });
  };
  return (
    <Card>
      <form className={styles.card} onSubmit={submit}>
        <h2 className={styles.title}>Email notices</h2>
        <p>We write to {email} when:</p>
        <fieldset className={styles.choices} key={notices.join(' ')}>
          <legend className="visually-hidden">Email notices</legend>
          {noticeKinds.map((kind) => (
            <label key={kind} className={styles.choice}>
              <input type="checkbox" name={kind} defaultChecked={notices.includes(kind)} />
              {labels[kind]}
            </label>
          ))}
        </fieldset>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Loading...' : 'Save notices'}
        </Button>
        <ActionFailure error={save.error} what="Your notices were not saved." />
      </form>
    </Card>
  );
}
