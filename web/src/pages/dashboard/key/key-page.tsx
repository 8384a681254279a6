import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { KeysAnswer } from '#contract/account.js';
import { readKeys } from '../../../api/account.js';
import { newYorkTime } from '../../../dashboard/date-time.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { FailureNotice } from '../../../dashboard/ui/failure-notice.js';
import { MaskedSecret } from '../../../dashboard/ui/masked-secret.js';
import { View } from '../../../dashboard/ui/view.js';
import { paths } from '../../../paths.js';
import { Card } from '../../../ui/card.js';
import { EarlierKeys } from './earlier-keys.js';
import styles from './key-page.module.css';
import { RotateKey } from './rotate-key.js';

/** The key that programs sign with, its test key, and a new one for it. */
export default function KeyPage() {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.keys,
    queryFn: readKeys,
    // Nothing tells when a key was used.
    refetchOnMount: 'always',
  });
  return (
    <View title="API Key" lead="Programs that send with your account sign their requests with it. Keep it to yourself.">
      {data ? (
        <Keys keys={data} />
      ) : error ? (
        <FailureNotice error={error} what="Your API key could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </View>
  );
}

function Keys({ keys }: { keys: KeysAnswer }) {
  const { apiKey, masked, createdAt, lastUsedAt, earlier } = keys;
  return (
    <>
      <div className={styles.pair}>
        <Card>
          <h2 className={styles.title}>Your key</h2>
          <MaskedSecret key={apiKey} name="API Key" secret={apiKey} masked={masked} />
          <dl className={styles.facts}>
            <dt>Created</dt>
            <dd>{newYorkTime(createdAt)}</dd>
            <dt>Last used</dt>
            <dd>{lastUsedAt ? newYorkTime(lastUsedAt) : 'Never'}</dd>
          </dl>
        </Card>
        <Card>
          <h2 className={styles.title}>Your test key</h2>
          <MaskedSecret key={apiKey} name="test key" secret={`${apiKey}_test`} masked={`${masked}_test`} />
          <p className={styles.text}>
            Your key with <code>_test</code> behind it. Requests are checked and answered like real ones, but nothing is
            sent, stored or charged. <Link to={paths.testing}>Testing the API</Link>
          </p>
        </Card>
      </div>
      <RotateKey masked={masked} earlier={earlier} />
      <EarlierKeys earlier={earlier} />
    </>
  );
}
