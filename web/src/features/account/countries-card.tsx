import { type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AccountAnswer } from '#contract/account-settings.js';
import { regions } from '#contract/regions.js';
import { accountQuery, chooseCountries } from '../../api/account-settings.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure } from '../dashboard/failures.js';
import styles from './account.module.css';

const offered = regions.filter(({ active }) => active);

/** Where messages may go. The form is uncontrolled: it is rendered again with each answer. */
export function CountriesCard({ account: { disabledCountries } }: { account: AccountAnswer }) {
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: chooseCountries,
    onSuccess: (answer) => {
      client.setQueryData(accountQuery.queryKey, answer);
      showToast('Your countries were saved.');
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    // What is not offered here keeps its setting.
    const isOff = (iso2: string, active: boolean) => (active ? !form.has(iso2) : disabledCountries.includes(iso2));
    save.mutate({ disabledCountries: regions.filter((one) => isOff(one.iso2, one.active)).map(({ iso2 }) => iso2) });
  };
  return (
    <Card>
      <form className={styles.card} onSubmit={submit}>
        <h2 className={styles.title}>Countries</h2>
        <p>Messages and one-time passwords to a country that you switch off are refused and not charged.</p>
        <fieldset className={`${styles.choices} ${styles.countries}`} key={disabledCountries.join(' ')}>
          <legend className="visually-hidden">Countries</legend>
          {offered.map(({ iso2, country }) => (
            <label key={iso2} className={styles.choice}>
              <input type="checkbox" name={iso2} defaultChecked={!disabledCountries.includes(iso2)} />
              {country}
            </label>
          ))}
        </fieldset>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Loading...' : 'Save countries'}
        </Button>
        <ActionFailure error={save.error} what="Your countries were not saved." />
      </form>
    </Card>
  );
}
