import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract/limits.js';
import type { ChangedNumberAnswer, NumberAnswer } from '#contract/numbers.js';
import { failureOf } from '../../api/api-failure.js';
import { numberQuery, numbersKey, releaseNumber, type ReleaseTime } from '../../api/numbers.js';
import { ActionFailure, FailureNotice } from '../../dashboard/failures/failures.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import choice from '../../ui/choice.module.css';
import { credits } from '../../ui/credits.js';
import { Question } from '../../ui/dialog.js';
import { shownNumber } from '../../ui/phone-numbers.js';
import { Notice } from '../../ui/surface.js';
import { showToast } from '../../ui/toast.js';
import styles from './numbers.module.css';

interface ReleaseQuestionProps {
  readonly numberId: string;
  readonly onReleased?: (answer: ChangedNumberAnswer) => void;
  readonly onClose: () => void;
}

/** Asks before a number is released, and shows the losses. */
export function ReleaseQuestion({ numberId, onReleased, onClose }: ReleaseQuestionProps) {
  const client = useQueryClient();
  const { data: number, error, refetch } = useQuery({ ...numberQuery(numberId), refetchOnMount: 'always' });
  const [chosen, setChosen] = useState<ReleaseTime>();
  const renewsAt = number?.renews_at ?? null;
  const mayWait = renewsAt !== null && number?.status === 'active';
  // By default the number works until its paid month ends.
  const at = chosen ?? (mayWait ? 'renews_at' : 'in_a_day');
  const release = useMutation({
    mutationFn: () => releaseNumber(numberId, at),
    onSuccess: (answer) => {
      void client.invalidateQueries({ queryKey: numbersKey });
      onReleased?.(answer);
      onClose();
      showToast(`${shownNumber(answer.number)} is released${wordsOf[at].toast}.`);
    },
    onError: () => client.invalidateQueries({ queryKey: numbersKey }),
  });
  const failure = release.error && failureOf(release.error);
  return (
    <Question
      title="Release this number?"
      closeTitle="Keep it"
      onClose={onClose}
      actions={
        <Button look="danger" disabled={release.isPending || !number} onClick={() => release.mutate()}>
          {release.isPending ? 'Loading...' : wordsOf[at].button}
        </Button>
      }
    >
      <div className={styles.words}>
        {number ? (
          <>
            {number.status !== 'released' && (
              <fieldset className={choice.choices}>
                <legend>When</legend>
                {mayWait && (
                  <label className={choice.choice}>
                    <input
                      type="radio"
                      name="at"
                      checked={at === 'renews_at'}
                      onChange={() => setChosen('renews_at')}
                    />
                    <span>
                      When the paid month ends: <Moment at={renewsAt} />
                    </span>
                  </label>
                )}
                <label className={choice.choice}>
                  <input type="radio" name="at" checked={at === 'in_a_day'} onChange={() => setChosen('in_a_day')} />
                  <span>
                    In {limits.numberReleaseHours} hours. Until then nothing is sent from it, and you can keep it.
                  </span>
                </label>
                <label className={choice.choice}>
                  <input type="radio" name="at" checked={at === 'now'} onChange={() => setChosen('now')} />
                  <span>Now. This needs a sign-in of the last {limits.freshSignInMinutes} minutes.</span>
                </label>
              </fieldset>
            )}
            <Lost number={number} isNow={at !== 'renews_at'} />
          </>
        ) : error ? (
          <FailureNotice error={error} what="The number could not be loaded." onRetry={() => void refetch()} />
        ) : (
          <p role="status">Loading...</p>
        )}
        {failure?.code === 'number_release_blocked' || failure?.code === 'sign_in_again' ? (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.detail}
          </Notice>
        ) : (
          <ActionFailure error={release.error} what="The number was not released." />
        )}
      </div>
    </Question>
  );
}

const wordsOf: Readonly<Record<ReleaseTime, { readonly button: string; readonly toast: string }>> = {
  now: { button: 'Release now', toast: '' },
  in_a_day: {
    button: `Release in ${limits.numberReleaseHours} hours`,
    toast: ` in ${limits.numberReleaseHours} hours`,
  },
  renews_at: { button: 'Release at the end', toast: ' when its month ends' },
};

function some(count: number, one: string, several: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;
}

/** Losses that come with the release. */
function Lost({ number, isNow }: { readonly number: NumberAnswer; readonly isNow: boolean }) {
  const { pools, traffic, status, credits_per_month: rent } = number;
  const { people, waiting } = traffic;
  return (
    <>
      <p>What you lose:</p>
      <ul className={styles.lost}>
        <li>
          The number itself. For {limits.numberRestDays} days no other customer here gets it, and you can buy it again
          while the carrier still sells it.
        </li>
        <li>
          {people === 0
            ? 'Replies to it: they do not arrive any more.'
            : `Replies to it: ${some(people, 'person knows', 'people know')} this number, and nothing that they ` +
              'write to it arrives any more. What was written stays.'}
        </li>
        {waiting > 0 && (
          <li>{some(waiting, 'message that waits is', 'messages that wait are')} not sent, and refunded.</li>
        )}
        {pools.length > 0 && <li>Its place in {some(pools.length, 'pool', 'pools')}.</li>}
      </ul>
      {isNow && status === 'active' && rent ? <p>Its {credits(rent)} are not returned.</p> : null}
    </>
  );
}
