import { useQuery } from '@tanstack/react-query';
import type { AccountAnswer } from '#contract/account.js';
import { accountQuery } from '../../api/account.js';
import { Moment } from '../../ui/moment.js';
import { Panel } from '../../ui/surface.js';
import { Facts, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import styles from './account.module.css';
import { DeleteCard, ExportCard } from './data-cards.js';
import { SettingsForm } from './settings-form.js';
import { PasswordCard, SessionsCard, Verification } from './sign-in-cards.js';

/** Settings of the account: its owner, sessions, email notices, export and deletion. */
export default function AccountPage() {
  const { data, error, refetch } = useQuery({ ...accountQuery, refetchOnMount: 'always' });
  return (
    <View
      title="Account"
      lead={
        'Your profile, the devices you are signed in on, alerts, countries, email notices, invoice details, and ' +
        'your data.'
      }
    >
      {data ? (
        <div className={styles.cards}>
          <div className={styles.column}>
            <Profile account={data} />
            {data.signInType === 'custom' && <PasswordCard />}
            <SessionsCard />
          </div>
          <SettingsForm account={data} />
          <div className={styles.column}>
            <ExportCard />
            <DeleteCard account={data} />
          </div>
        </div>
      ) : error ? (
        <FailureNotice error={error} what="Your account could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p className={styles.loading} role="status">
          Loading...
        </p>
      )}
    </View>
  );
}

const signInTypes = { google: 'Google', custom: 'Email address and password' } as const;

function Profile({ account }: { account: AccountAnswer }) {
  const { displayName, email, emailVerified, signInType, createdAt } = account;
  return (
    <Panel title="Profile">
      <Facts
        facts={[
          ['Name', displayName],
          ['Email', email],
          ...(signInType === 'custom' ? [['Confirmed', emailVerified ? 'Yes' : 'Not yet'] as const] : []),
          ['Sign-in', signInTypes[signInType]],
          ['Created', <Moment key="created" at={createdAt} />],
        ]}
      />
      <Verification account={account} />
    </Panel>
  );
}
