import { type FormEvent, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeysAnswer } from '#contract/account.js';
import { limits } from '#contract/limits.js';
import { keysQuery, rotateKey } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { wholeNumberIn } from '../../ui/format.js';
import { Card, Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../dashboard/failures.js';
import styles from './key.module.css';

const FAULT = `Enter whole hours from 0 to ${limits.oldKeyHoursMax}.`;

/** Replaces the key; the old one can keep working for a while. */
export function RotateKey({ masked, earlier }: Pick<KeysAnswer, 'masked' | 'earlier'>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('24');
  const [fault, setFault] = useState<string>();
  const [confirmed, setConfirmed] = useState<number>();
  const rotate = useMutation({
    mutationFn: rotateKey,
    onSuccess: (keys) => {
      client.setQueryData(keysQuery.queryKey, keys);
      setConfirmed(undefined);
      showToast('You have a new API key. Put it into your programs.');
    },
    // A lost answer may have carried a new key, so the page shows what the server has.
    onError: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const hours = wholeNumberIn(typed, 0, limits.oldKeyHoursMax);
    setFault(hours === undefined ? FAULT : undefined);
    rotate.reset();
    setConfirmed(hours);
  };
  return (
    <Card>
      <form className={styles.form} onSubmit={ask} noValidate>
        <div>
          <h2 className={styles.rotateTitle}>Replace your key</h2>
          <p className={styles.rotateText}>
            Do this if someone else may know it. The old key can keep working for up to {limits.oldKeyHoursMax} hours,
            so you can update your programs one by one.
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

interface ConfirmRotationProps {
  readonly masked: string;
  readonly hours: number;
  /** How many earlier keys still work. */
  readonly earlier: number;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Explains what will stop working before it does. */
function ConfirmRotation(props: ConfirmRotationProps) {
  const { masked, hours, earlier, error, isBusy, onConfirm, onClose } = props;
  const end = masked.slice(-4);
  const failure = error && failureOf(error);
  return (
    <Dialog
      title="Replace your API key?"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={isBusy} onClick={onConfirm}>
          {isBusy ? 'Loading...' : 'Replace key'}
        </Button>
      }
    >
      <div className={styles.words}>
        {hours === 0 ? (
          <p>
            The key ending in {end}
            {earlier > 0 && ' and every earlier key'} stops working at once. Programs that still use it get “User not
            found for the provided API key” and send nothing until you update them.
          </p>
        ) : (
          <p>
            You get a new key now. The key ending in {end} works for {hours} {hours === 1 ? 'hour' : 'hours'} more; then
            programs that still use it send nothing.
          </p>
        )}
        <p>
          Its test key stops working too. Your credits, messages and webhook stay as they are. This cannot be undone.
        </p>
        {failure?.code === 'too_many_keys' ? (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.detail}
          </Notice>
        ) : (
          <ActionFailure error={error} what="Your key was not replaced." />
        )}
      </div>
    </Dialog>
  );
}
