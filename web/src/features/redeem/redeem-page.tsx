import { type SubmitEvent, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { redeemMessage } from '#contract/credits.js';
import { limits } from '#contract/limits.js';
import { creditsQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { ledgerKey, redeemCode } from '../../api/billing.js';
import { Button } from '../../ui/button.js';
import { Field, formText } from '../../ui/field.js';
import { Card } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import styles from './redeem-page.module.css';

export default function RedeemPage() {
  const client = useQueryClient();
  const [fault, setFault] = useState<string>();
  const redeem = useMutation({
    mutationFn: redeemCode,
    onSuccess: () =>
      Promise.all([creditsQuery.queryKey, ledgerKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onError: (error) => setFault(failureOf(error).message),
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (redeem.isPending) return;
    redeem.reset();
    const code = formText(new FormData(event.currentTarget), 'code');
    const wrong = faultOf(code);
    setFault(wrong);
    if (wrong === undefined) redeem.mutate(code);
  };

  return (
    <View title="Redeem Code" lead="A code adds its credits to your account at once. Each code counts once for you.">
      <Card>
        <form className={styles.form} onSubmit={submit} noValidate>
          <Field
            label="Code"
            name="code"
            placeholder="ABCD-EFGH-JKMN"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            fault={fault}
          />
          {/* Red even for success, as the product specification requires. */}
          <p className={styles.message} role="status">
            {redeem.data?.message}
          </p>
          <Button type="submit" look="primary" disabled={redeem.isPending}>
            {redeem.isPending ? 'Loading...' : 'Redeem'}
          </Button>
        </form>
      </Card>
    </View>
  );
}

function faultOf(code: string): string | undefined {
  if (code.trim() === '') return redeemMessage({ kind: 'empty' });
  return code.length > limits.redeemCodeCharactersMax ? redeemMessage({ kind: 'unknown' }) : undefined;
}
