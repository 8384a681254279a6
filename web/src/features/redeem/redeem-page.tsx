import { useMutation, useQueryClient } from '@tanstack/react-query';
import { redeemMessage } from '#contract/credits.js';
import { limits } from '#contract/limits.js';
import { creditsQuery } from '../../api/account.js';
import { placedBy } from '../../api/api-failure.js';
import { ledgerKey, redeemCode } from '../../api/billing.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText, useForm } from '../../ui/form.js';
import { IconCircleCheck } from '../../ui/line-icons.js';
import { Card } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import styles from './redeem-page.module.css';

export default function RedeemPage() {
  const client = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: redeemCode,
    onSuccess: () =>
      Promise.all([creditsQuery.queryKey, ledgerKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  const { inputOf, isSending, answer, onSubmit } = useForm({
    read: (form) => {
      const code = formText(form, 'code');
      const fault = faultOf(code);
      return fault === undefined ? { body: code } : { faults: { code: fault } };
    },
    send: mutateAsync,
    placed: placedBy({}, 'code'),
  });
  return (
    <View title="Redeem Code" lead="A code adds its credits to your account at once. You can use each code once.">
      <Card>
        <form className={styles.form} onSubmit={onSubmit} noValidate>
          <Field
            {...inputOf('code')}
            label="Code"
            placeholder="ABCD-EFGH-JKMN"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          {/* Red even for success, as specified; the check mark shows success. */}
          <p className={styles.message} role="status">
            {answer && (
              <>
                <span className={styles.mark} role="img" aria-label="Success">
                  <IconCircleCheck size={20} aria-hidden="true" />
                </span>
                <span>{answer.message}</span>
              </>
            )}
          </p>
          <Button type="submit" look="primary" disabled={isSending}>
            {isSending ? 'Loading...' : 'Redeem'}
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
