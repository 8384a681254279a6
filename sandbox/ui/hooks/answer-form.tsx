import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { HookAnswer } from '../../hooks/hook-book.js';
import { call, problemOf } from '../frame/live.js';

const choices = {
  '200': 'OK (200)',
  '204': 'No content (204)',
  '400': 'Bad request (400)',
  '404': 'Not found (404)',
  '410': 'Gone (410)',
  '429': 'Too many (429)',
  '500': 'Failure (500)',
  '503': 'Unavailable (503)',
  redirect: 'Redirect (307)',
  hang: 'Never answer',
} as const;

/** Sets how a hook answers, to see how the product reacts. */
export function AnswerForm({ name }: { name: string }) {
  const path = `/_control/hooks/${name}`;
  const [choice, setChoice] = useState('200');
  const current = useQuery({ queryKey: [path], queryFn: () => call<HookAnswer>(path) });
  const save = useMutation({ mutationFn: (answer: object) => call<HookAnswer>(path, answer) });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const count = form.get('count');
    save.mutate({
      ...(choice === 'hang' && { hang: true }),
      ...(choice === 'redirect' && { redirectTo: form.get('redirectTo') }),
      ...(/^\d+$/.test(choice) && { status: Number(choice) }),
      delayMs: Number(form.get('delayMs')),
      count: count === '' ? null : Number(count),
    });
  };

  return (
    <form className="hook-form" onSubmit={submit}>
      <p className="quiet wide" role="status">
        {current.data && `${name} answers ${described(current.data)}.`}
      </p>
      <label>
        Answer
        <select value={choice} onChange={(event) => setChoice(event.target.value)}>
          {Object.entries(choices).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {choice === 'redirect' && (
        <label className="wide">
          To this address
          <input name="redirectTo" required placeholder="http://127.0.0.1/" />
        </label>
      )}
      <label>
        After milliseconds
        <input name="delayMs" type="number" min="0" max="60000" required defaultValue="0" />
      </label>
      <label>
        For how many requests
        <input name="count" type="number" min="1" placeholder="until changed" />
      </label>
      <button className="button primary" type="submit">
        Save answer
      </button>
      {save.isError && (
        <p className="bad wide" role="alert">
          {problemOf(save.error)}
        </p>
      )}
    </form>
  );
}

function described({ status, hang, redirectTo, delayMs, count }: HookAnswer): string {
  const what = hang ? 'nothing' : redirectTo === null ? String(status) : `${status} to ${redirectTo}`;
  const when = delayMs === 0 || hang ? '' : ` after ${delayMs} ms`;
  return `${what}${when}${count === null ? '' : `, ${count} more ${count === 1 ? 'time' : 'times'}`}`;
}
