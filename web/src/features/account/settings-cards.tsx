import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AccountAnswer, noticeKinds } from '#contract/account.js';
import { invoiceDetails, type InvoiceDetails } from '#contract/billing.js';
import { accountQuery, chooseCountries, chooseNotices } from '../../api/account.js';
import { Button } from '../../ui/button.js';
import { useRegions } from '../site/use-regions.js';
import choice from '../../ui/choice.module.css';
import { Panel } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { changeInvoiceDetails, invoiceDetailsQuery } from '../../api/billing.js';
import { Field, TextArea } from '../../ui/field.js';
import { foundBy, formText, useForm } from '../../ui/form.js';
import styles from './account.module.css';

const labels = {
  new_device: 'A sign-in from a new device',
  key_changed: 'An API key was created or replaced',
  webhook_changed: 'The webhook was changed',
  webhook_failing: 'The webhook keeps failing',
  payment_disputed: 'A payment is disputed',
} as const;

/** Which email notices are sent. The form is rendered again with each answer. */
export function NoticesCard({ account: { email, notices } }: { account: AccountAnswer }) {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: chooseNotices,
    onSuccess: (answer) => {
      client.setQueryData(accountQuery.queryKey, answer);
      showToast('Your email notices were saved.');
    },
  });
  const { isSending, failure, onSubmit } = useForm({
    read: (form) => ({ body: { notices: noticeKinds.filter((kind) => form.has(kind)) } }),
    send: mutateAsync,
  });
  return (
    <Panel title="Email notices" onSubmit={onSubmit}>
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
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Save notices'}
      </Button>
      <ActionFailure error={failure} what="Your notices were not saved." />
    </Panel>
  );
}

/** Where messages may go. The form is rendered again with each answer. */
export function CountriesCard({ account: { disabledCountries } }: { account: AccountAnswer }) {
  const client = useQueryClient();
  const regions = useRegions();
  const offered = regions.filter(({ active }) => active);
  const { mutateAsync } = useMutation({
    mutationFn: chooseCountries,
    onSuccess: (answer) => {
      client.setQueryData(accountQuery.queryKey, answer);
      showToast('Your countries were saved.');
    },
  });
  const { isSending, failure, onSubmit } = useForm({
    read: (form) => {
      // What is not offered here keeps its setting.
      const isOff = (iso2: string, active: boolean) => (active ? !form.has(iso2) : disabledCountries.includes(iso2));
      const off = regions.filter(({ iso2, active }) => isOff(iso2, active));
      return { body: { disabledCountries: off.map(({ iso2 }) => iso2) } };
    },
    send: mutateAsync,
  });
  return (
    <Panel title="Countries" onSubmit={onSubmit}>
      <p>Messages and one-time passwords to a country that you switch off are refused and not charged.</p>
      <fieldset
        className={`${choice.choices} ${styles.countries}`}
        key={[...disabledCountries, '', ...offered.map(({ iso2 }) => iso2)].join(' ')}
      >
        <legend className="visually-hidden">Countries</legend>
        {offered.map(({ iso2, country }) => (
          <label key={iso2} className={choice.choice}>
            <input type="checkbox" name={iso2} defaultChecked={!disabledCountries.includes(iso2)} />
            {country}
          </label>
        ))}
      </fieldset>
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Save countries'}
      </Button>
      <ActionFailure error={failure} what="Your countries were not saved." />
    </Panel>
  );
}

/** Company, address and VAT id on invoices. */
export function InvoiceCard() {
  const { data, error, refetch } = useQuery({ ...invoiceDetailsQuery, refetchOnMount: 'always' });
  return (
    <Panel title="Invoice details">
      <p>Printed on invoices issued from now on. If left empty, invoices show the name in your profile.</p>
      {data ? (
        <DetailsForm key={JSON.stringify(data)} details={data} />
      ) : error ? (
        <FailureNotice error={error} what="Your details could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
      )}
    </Panel>
  );
}

const faultTexts = {
  company: 'Up to 200 characters.',
  address: 'Up to 8 lines and 500 characters.',
  vatId: 'Up to 40 letters, digits, spaces, dots and hyphens.',
};

/** The form is rendered again with each answer. */
function DetailsForm({ details }: { details: InvoiceDetails }) {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: changeInvoiceDetails,
    onSuccess: (answer) => {
      client.setQueryData(invoiceDetailsQuery.queryKey, answer);
      showToast('Your invoice details were saved.');
    },
  });
  const { inputOf, isSending, failure, onSubmit } = useForm({
    read: (form) => {
      const textOf = (name: string) => formText(form, name).replace(/\r\n/g, '\n');
      const given = { company: textOf('company'), address: textOf('address'), vatId: textOf('vatId') };
      return foundBy(invoiceDetails, given, faultTexts);
    },
    send: mutateAsync,
  });
  return (
    <form className={styles.fields} onSubmit={onSubmit} noValidate>
      <Field {...inputOf('company')} label="Company" autoComplete="organization" defaultValue={details.company} />
      <TextArea
        {...inputOf('address')}
        label="Address"
        rows={4}
        autoComplete="street-address"
        defaultValue={details.address}
      />
      <Field {...inputOf('vatId')} label="VAT ID" autoComplete="off" defaultValue={details.vatId} />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Loading...' : 'Save invoice details'}
      </Button>
      <ActionFailure error={failure} what="Your details were not saved." />
    </form>
  );
}
