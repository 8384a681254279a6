import { type SubmitEvent, useId, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { invoiceDetails, type InvoiceDetails } from '#contract/invoices.js';
import { changeInvoiceDetails, invoiceDetailsQuery } from '../../api/invoices.js';
import { Button } from '../../ui/button.js';
import { Field, formText } from '../../ui/field.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../dashboard/failures.js';
import styles from './account.module.css';

/** Company, address and VAT id on invoices. */
export function InvoiceCard() {
  const { data, error, refetch } = useQuery({ ...invoiceDetailsQuery, refetchOnMount: 'always' });
  return (
    <Card>
      <section className={styles.card} aria-labelledby="invoice-details">
        <h2 id="invoice-details" className={styles.title}>
          Invoice details
        </h2>
        <p>
          They are printed on invoices that are issued from now on. Leave them empty to be named as in your profile.
        </p>
        {data ? (
          <DetailsForm key={JSON.stringify(data)} details={data} />
        ) : error ? (
          <FailureNotice error={error} what="Your details could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <p role="status">Loading...</p>
        )}
      </section>
    </Card>
  );
}

/** The form is uncontrolled: it is rendered again with each answer. */
function DetailsForm({ details }: { details: InvoiceDetails }) {
  const client = useQueryClient();
  const addressId = useId();
  const [faults, setFaults] = useState<readonly string[]>([]);
  const save = useMutation({
    mutationFn: changeInvoiceDetails,
    onSuccess: (answer) => {
      client.setQueryData(invoiceDetailsQuery.queryKey, answer);
      showToast('Your invoice details were saved.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => formText(form, name).replace(/\r\n/g, '\n');
    const read = { company: textOf('company'), address: textOf('address'), vatId: textOf('vatId') };
    const parsed = invoiceDetails.safeParse(read);
    setFaults(parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path[0])));
    if (parsed.success) save.mutate(parsed.data);
  };
  const faultOf = (name: string, text: string) => (faults.includes(name) ? text : undefined);
  const addressFault = faultOf('address', 'Up to 8 lines and 500 characters.');
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <Field
        label="Company"
        name="company"
        autoComplete="organization"
        defaultValue={details.company}
        fault={faultOf('company', 'Up to 200 characters.')}
      />
      <div className={styles.area}>
        <label htmlFor={addressId}>Address</label>
        <textarea
          id={addressId}
          name="address"
          rows={4}
          autoComplete="street-address"
          defaultValue={details.address}
          aria-invalid={addressFault === undefined ? undefined : true}
          aria-describedby={addressFault === undefined ? undefined : `${addressId}-fault`}
        />
        {addressFault !== undefined && (
          <p id={`${addressId}-fault`} className={styles.fault} role="alert">
            {addressFault}
          </p>
        )}
      </div>
      <Field
        label="VAT ID"
        name="vatId"
        autoComplete="off"
        defaultValue={details.vatId}
        fault={faultOf('vatId', 'Up to 40 letters, digits, spaces, dots and hyphens.')}
      />
      <Button type="submit" disabled={save.isPending}>
        {save.isPending ? 'Loading...' : 'Save invoice details'}
      </Button>
      <ActionFailure error={save.error} what="Your details were not saved." />
    </form>
  );
}
