import { useState, type SubmitEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/limits.js';
import { redeemMessage } from '#contract/credits.js';
import { failureOf } from '../../../api/api-failure.js';
import { redeemCode } from '../../../api/purchases.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { View } from '../../../dashboard/ui/view.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { Field } from '../../../ui/field.js';
import { formText } from '../../../ui/form-text.js';
import styles from './redeem-page.module.css';

export default function RedeemPage() {
  const client = useQueryClient();
  const [fault, setFault] = useState<string>();
  const redeem = useMutation({
    mutationFn: redeemCode,
    onSuccess: () =>
      Promise.all([queryKeys.credits, queryKeys.ledger].map((queryKey) => client.invalidateQueries({ queryKey }))),
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
          {/* In red, good news too: the specification has it so. */}
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
