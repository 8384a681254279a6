import { useMutation } from '@tanstack/react-query';
import { exportData } from '../../api/account-settings.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../dashboard/failures.js';
import styles from './account.module.css';

/** Downloads everything that the account has stored. */
export function ExportCard() {
  const exported = useMutation({
    mutationFn: exportData,
    onSuccess: (file) => {
      save(file, 'pennytext-account.json');
      showToast('Your data was downloaded.');
    },
  });
  return (
    <Card>
      <section className={styles.card} aria-labelledby="export">
        <h2 id="export" className={styles.title}>
          Your data
        </h2>
        <p>
          One JSON file with your profile, messages, replies, credit ledger and payments. API keys are masked in it.
        </p>
        <Button disabled={exported.isPending} onClick={() => exported.mutate()}>
          {exported.isPending ? 'Loading...' : 'Download my data'}
        </Button>
        <ActionFailure error={exported.error} what="Your data was not downloaded." />
      </section>
    </Card>
  );
}

/** Offers a file to the browser's downloads. */
function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
