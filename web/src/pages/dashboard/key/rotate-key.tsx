import { useState, type FormEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeysAnswer } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { rotateKey } from '../../../api/account.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Field } from '../../../ui/field.js';
import { showToast } from '../../../ui/toast.js';
import { ConfirmRotation } from './confirm-rotation.js';
import { keptHours } from './kept-hours.js';
import styles from './rotate-key.module.css';

const FAULT = `Enter whole hours from 0 to ${limits.oldKeyHoursMax}.`;

/** A new key in the place of the old one, which may go on for a while. */
export function RotateKey({ masked, earlier }: Pick<KeysAnswer, 'masked' | 'earlier'>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('24');
  const [fault, setFault] = useState<string>();
  const [confirmed, setConfirmed] = useState<number>();
  const rotate = useMutation({
    mutationFn: rotateKey,
    onSuccess: (keys) => {
      client.setQueryData(queryKeys.keys, keys);
      setConfirmed(undefined);
      showToast('You have a new API key. Put it into your programs.');
    },
    // A lost answer may have been a new key: what the page shows is what works.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.keys }),
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const hours = keptHours(typed);
    setFault(hours === undefined ? FAULT : undefined);
    rotate.reset();
    setConfirmed(hours);
  };
  return (
    <Card>
      <form className={styles.form} onSubmit={ask} noValidate>
        <div>
          <h2 className={styles.title}>Replace your key</h2>
          <p className={styles.text}>
            Do so when somebody else may know it. The old key can keep working for up to {limits.oldKeyHoursMax} hours,
            so that your programs can change over one by one.
          </p>
        </div>
        <div className={styles.choice}>
          <Field
            label="Hours that the old key keeps working"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            fault={fault}
          />
          <Button type="submit">Replace key…</Button>
        </div>
      </form>
      {confirmed !== undefined && (
        <ConfirmRotation
          masked={masked}
          hours={confirmed}
          earlier={earlier.length}
          error={rotate.error}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate({ keepOldForHours: confirmed })}
          onClose={() => setConfirmed(undefined)}
        />
      )}
    </Card>
  );
}
