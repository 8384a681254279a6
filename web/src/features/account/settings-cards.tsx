import { useQuery } from '@tanstack/react-query';
import { type AccountAnswer, noticeKinds } from '#contract/account.js';
import type { InvoiceDetails } from '#contract/billing.js';
import { invoiceDetailsQuery } from '../../api/billing.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import choice from '../../ui/choice.module.css';
import { Field, TextArea } from '../../ui/field.js';
import { Panel } from '../../ui/surface.js';
import { useRegions } from '../site/use-regions.js';
import type { InputOf } from './settings-inputs.js';
import styles from './account.module.css';

const labels = {
  new_device: 'A sign-in from a new device',
  key_changed: 'An API key was created or replaced',
  webhook_changed: 'The webhook was changed',
  webhook_failing: 'The webhook keeps failing',
  payment_disputed: 'A payment is disputed',
} as const;

/** The choice of email notices. The fields are rendered again with each answer. */
export function NoticesCard({ account: { email, notices } }: { account: AccountAnswer }) {
  return (
    <Panel title="Email notices">
      <p>We write to {email} when:</p>
      <fieldset className={choice.choices} key={notices.join(' ')}>
        <legend className="visually-hidden">Email notices</legend>
        {noticeKinds.map((kind) => (
          <label key={kind} className={choice.choice}>
            <input type="checkbox" name={kind} defaultChecked={notices.includes(kind)} />
            {labels[kind]}
          </label>
        ))}
      </fieldset>
    </Panel>
  );
}

/** The countries that messages may go to. The fields are rendered again with each answer. */
export function CountriesCard({ account: { disabledCountries } }: { account: AccountAnswer }) {
  const offered = useRegions().filter(({ active }) => active);
  return (
    <Panel title="Countries">
      <p>Messages and one-time passwords to a country that you switch off are refused and not charged.</p>
      <fieldset
        className={`${choice.choices} ${styles.countries}`}
        key={[...disabledCountries, '', ...offered.map(({ iso2 }) => iso2)].join(' ')}
      >
        <legend className="visually-hidden">Countries</legend>
        {offered.map(({ iso2, country }) => (
          <label key={iso2} className={choice.choice}>
            <input type="checkbox" name={`country-${iso2}`} defaultChecked={!disabledCountries.includes(iso2)} />
            {country}
          </label>
        ))}
      </fieldset>
    </Panel>
  );
}

/** Company, address and VAT id on invoices. */
export function InvoiceCard({ inputOf }: { readonly inputOf: InputOf }) {
  const { data, error, refetch } = useQuery({ ...invoiceDetailsQuery, refetchOnMount: 'always' });
  return (
    <Panel title="Invoice details">
      <p>Printed on invoices issued from now on. If left empty, invoices show the name in your profile.</p>
      {data ? (
        <DetailFields key={JSON.stringify(data)} details={data} inputOf={inputOf} />
      ) : error ? (
        <FailureNotice error={error} what="Your details could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Panel>
  );
}

/** The fields are rendered again with each answer. */
function DetailFields({ details, inputOf }: { readonly details: InvoiceDetails; readonly inputOf: InputOf }) {
  return (
    <div className={styles.fields}>
      <Field {...inputOf('company')} label="Company" autoComplete="organization" defaultValue={details.company} />
      <TextArea
        {...inputOf('address')}
        label="Address"
        rows={4}
        autoComplete="street-address"
        defaultValue={details.address}
      />
      <Field {...inputOf('vatId')} label="VAT ID" autoComplete="off" defaultValue={details.vatId} />
    </div>
  );
}
