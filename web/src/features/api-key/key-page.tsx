import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { accountSidOf, type KeysAnswer } from '#contract/account.js';
import { keysQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { newYorkTime } from '../../ui/format.js';
import { MaskedSecret } from '../../ui/masked-secret.js';
import { Card } from '../../ui/surface.js';
import { Table } from '../../ui/table.js';
import { View } from '../../ui/view.js';
import { useSession } from '../dashboard/dashboard-context.js';
import { FailureNotice } from '../dashboard/failures.js';
import styles from './key.module.css';
import { NamedKeys } from './named-keys.js';
import { RotateKey } from './rotate-key.js';

/** The API key, its test key, and their replacement. */
export default function KeyPage() {
  const { data, error, refetch } = useQuery({
    ...keysQuery,
    // No live event reports the use of a key.
    refetchOnMount: 'always',
  });
  return (
    <View title="API Keys" lead="Your programs authenticate with a key. Keep it secret.">
      {data ? (
        <>
          <Keys keys={data} />
          <NamedKeys />
        </>
      ) : error ? (
        <FailureNotice error={error} what="Your API key could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </View>
  );
}

function Keys({ keys }: { keys: KeysAnswer }) {
  const { apiKey, masked, createdAt, lastUsedAt, lastUsedAddress, earlier } = keys;
  const { id } = useSession();
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
            <dd>
              {lastUsedAt ? newYorkTime(lastUsedAt) : 'Never'}
              {lastUsedAddress !== null && ` from ${lastUsedAddress}`}
            </dd>
          </dl>
        </Card>
        <Card>
          <h2 className={styles.title}>Your test key</h2>
          <MaskedSecret key={apiKey} name="test key" secret={`${apiKey}_test`} masked={`${masked}_test`} />
          <p className={styles.text}>
            Your key followed by <code>_test</code>. Requests are checked and answered like real ones, but nothing is
            sent, stored or charged. <Link to={paths.testing}>Testing the API</Link>
          </p>
        </Card>
      </div>
      <Card>
        <h2 className={styles.title}>Use with Twilio's SDK</h2>
        <dl className={styles.facts}>
          <dt>Account SID</dt>
          <dd>
            <code>{accountSidOf(id)}</code>
          </dd>
          <dt>Auth token</dt>
          <dd>Your key, or a named key with the scopes send and read</dd>
          <dt>Host</dt>
          <dd>This site's, in place of api.twilio.com</dd>
        </dl>
        <p className={styles.text}>
          <Link to={paths.migratingFromTwilio}>Migrating from Twilio</Link>
        </p>
      </Card>
      <RotateKey masked={masked} earlier={earlier} />
      <EarlierKeys earlier={earlier} />
    </>
  );
}

/** Earlier keys that still work, and until when. */
function EarlierKeys({ earlier }: Pick<KeysAnswer, 'earlier'>) {
  return (
    <section aria-labelledby="earlier-keys">
      <h2 id="earlier-keys" className={styles.title}>
        Earlier keys that still work
      </h2>
      {earlier.length === 0 ? (
        <p>None: only the current one works.</p>
      ) : (
        <Table label="Earlier keys that still work">
          <thead>
            <tr>
              <th scope="col">Key ending in</th>
              <th scope="col">Last used</th>
              <th scope="col">Works until</th>
            </tr>
          </thead>
          <tbody>
            {earlier.map(({ masked, lastUsedAt, expiresAt }) => (
              <tr key={`${masked} ${expiresAt}`}>
                <td>
                  <code>{masked.slice(-4)}</code>
                </td>
                <td>{lastUsedAt ? newYorkTime(lastUsedAt) : 'Never'}</td>
                <td>{newYorkTime(expiresAt)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
