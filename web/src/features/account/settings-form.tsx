import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AccountAnswer, type NoticeKind, noticeKinds } from '#contract/account.js';
import {
  type AlertsAnswer,
  alertsBody,
  type AlertsBody,
  dailySpendMax,
  invoiceDetails,
  type InvoiceDetails,
} from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { accountQuery, chooseCountries, chooseNotices } from '../../api/account.js';
import { alertsQuery, changeAlerts, changeInvoiceDetails, invoiceDetailsQuery } from '../../api/billing.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import { Button } from '../../ui/button.js';
import { type Faults, type Found, foundBy, formText, useForm } from '../../ui/form.js';
import { wholeNumber } from '../../ui/format.js';
import { showToast } from '../../ui/toast.js';
import { useRegions } from '../site/use-regions.js';
import { AlertsCard } from './alerts-card.js';
import { CountriesCard, InvoiceCard, NoticesCard } from './settings-cards.js';
import type { SettingName } from './settings-inputs.js';
import styles from './account.module.css';

const upTo = (max: number) => `A whole number from 1 to ${max.toLocaleString('en-US')}.`;
const alertFaults = { lowCredits: upTo(limits.lowCreditsMax), dailySpend: upTo(dailySpendMax) };
const detailFaults = {
  company: 'Up to 200 characters.',
  address: 'Up to 8 lines and 500 characters.',
  vatId: 'Up to 40 letters, digits, spaces, dots and hyphens.',
};

/** The settings that were changed. */
interface Changes {
  readonly alerts?: AlertsBody;
  readonly notices?: readonly NoticeKind[];
  readonly disabledCountries?: readonly string[];
  readonly details?: InvoiceDetails;
}

/** One form for alerts, notices, countries and invoice details; saves the changed settings. */
export function SettingsForm({ account }: { readonly account: AccountAnswer }) {
  const client = useQueryClient();
  const regions = useRegions();
  const { mutateAsync } = useMutation({
    mutationFn: async ({ alerts, notices, disabledCountries, details }: Changes) => {
      // One request after the other: settings saved before a failure stay, and are shown as saved.
      if (alerts) client.setQueryData(alertsQuery.queryKey, await changeAlerts(alerts));
      if (notices) client.setQueryData(accountQuery.queryKey, await chooseNotices({ notices: [...notices] }));
      if (disabledCountries) {
        const answer = await chooseCountries({ disabledCountries: [...disabledCountries] });
        client.setQueryData(accountQuery.queryKey, answer);
      }
      if (details) client.setQueryData(invoiceDetailsQuery.queryKey, await changeInvoiceDetails(details));
    },
    onSuccess: () => showToast('Your settings were saved.'),
  });
  const { inputOf, isSending, failure, onSubmit } = useForm<Changes, SettingName, void>({
    read: (form) => {
      const alerts = client.getQueryData<AlertsAnswer>(alertsQuery.queryKey);
      const details = client.getQueryData<InvoiceDetails>(invoiceDetailsQuery.queryKey);
      const foundAlerts = alerts && alertsIn(form);
      const foundDetails = details && detailsIn(form);
      const faults = { ...faultsOf(foundAlerts), ...faultsOf(foundDetails) };
      if (Object.keys(faults).length > 0) return { faults };
      const notices = noticeKinds.filter((kind) => form.has(kind));
      // A country that the form does not offer keeps its setting.
      const isOff = (iso2: string, active: boolean) =>
        active ? !form.has(`country-${iso2}`) : account.disabledCountries.includes(iso2);
      const off = regions.filter(({ iso2, active }) => isOff(iso2, active)).map(({ iso2 }) => iso2);
      const changes: Changes = {
        ...(foundAlerts && 'body' in foundAlerts && differs(foundAlerts.body, alerts) && { alerts: foundAlerts.body }),
        ...(!areSame(notices, account.notices) && { notices }),
        ...(!areSame(off, account.disabledCountries) && { disabledCountries: off }),
        ...(foundDetails &&
          'body' in foundDetails &&
          differs(foundDetails.body, details) && { details: foundDetails.body }),
      };
      return { body: changes };
    },
    send: mutateAsync,
  });
  return (
    <form className={styles.settings} onSubmit={onSubmit} noValidate>
      <AlertsCard inputOf={inputOf} />
      <NoticesCard account={account} />
      <CountriesCard account={account} />
      <InvoiceCard inputOf={inputOf} />
      <div className={styles.save}>
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? 'Loading...' : 'Save'}
        </Button>
        <ActionFailure error={failure} what="Not all of your settings were saved." />
      </div>
    </form>
  );
}

function alertsIn(form: FormData): Found<AlertsBody, keyof typeof alertFaults> {
  const given = {
    lowCreditsMail: form.has('lowCreditsMail'),
    lowCredits: wholeNumber(formText(form, 'lowCredits')),
    dailySpend: form.has('wantsSpend') ? wholeNumber(formText(form, 'dailySpend')) : null,
  };
  return foundBy(alertsBody, given, alertFaults);
}

function detailsIn(form: FormData): Found<InvoiceDetails, keyof typeof detailFaults> {
  const textOf = (name: string) => formText(form, name).replace(/\r\n/g, '\n');
  const given = { company: textOf('company'), address: textOf('address'), vatId: textOf('vatId') };
  return foundBy(invoiceDetails, given, detailFaults);
}

function faultsOf(found: Found<object, SettingName> | undefined): Faults<SettingName> {
  return found && 'faults' in found ? found.faults : {};
}

/** Whether a field of `some` has another value in `others`. */
function differs(some: object, others: object | undefined): boolean {
  const known = new Map<string, unknown>(Object.entries(others ?? {}));
  return Object.entries(some).some(([name, value]) => known.get(name) !== value);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
