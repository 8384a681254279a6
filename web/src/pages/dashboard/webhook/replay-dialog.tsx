import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { replayDeliveries } from '../../../api/webhook.js';
import { endOfNewYorkDay, startOfNewYorkDay } from '../../../dashboard/new-york-days.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { ActionFailure } from '../../../dashboard/ui/action-failure.js';
import { DayRange, type Days } from '../../../dashboard/ui/day-range.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { Select } from '../../../dashboard/ui/select.js';
import { Button } from '../../../ui/button.js';
import styles from './replay-dialog.module.css';

const choices = [
  ['failed', 'Those that did not arrive'],
  ['all', 'All of them'],
] as const;

/** Sends the webhooks of some days again. */
export function ReplayDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [days, setDays] = useState<Days>({ from: '', to: '' });
  const [which, setWhich] = useState<(typeof choices)[number][0]>('failed');
  const replay = useMutation({
    mutationFn: replayDeliveries,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.webhookDeliveries }),
  });
  const { from, to } = days;
  const isWhole = from !== '' && to !== '';
  return (
    <Dialog
      title="Send webhooks again"
      onClose={onClose}
      actions={
        <Button
          look="primary"
          disabled={!isWhole || replay.isPending}
          onClick={() => replay.mutate({ from: startOfNewYorkDay(from), to: endOfNewYorkDay(to), which })}
        >
          {replay.isPending ? 'Loading...' : 'Send again'}
        </Button>
      }
    >
      <div className={styles.form}>
        <p>Each keeps its webhook-id, so that your server knows what it has had. Tests are left out.</p>
        <DayRange from={from} to={to} onChange={setDays} />
        <Select label="Which" options={choices} value={which} onChange={setWhich} />
        <p role="status">{replay.data && wordsFor(replay.data)}</p>
        <ActionFailure error={replay.error} what="Nothing was sent again." />
      </div>
    </Dialog>
  );
}

function wordsFor({ replayed, more }: { replayed: number; more: boolean }): string {
  if (replayed === 0) return 'There are none in these days.';
  const count = replayed === 1 ? '1 webhook is' : `${replayed.toLocaleString('en-US')} webhooks are`;
  return `${count} sent again.${more ? ' There are more: send again for the rest.' : ''}`;
}
