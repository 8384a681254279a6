import { type FormEvent, useEffect, useState } from 'react';
import type { HookAnswer } from '../../hooks/hook-book.js';
import { listenTo, post, read } from '../frame/live.js';

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
  const [current, setCurrent] = useState<HookAnswer | null>(null);
  const [choice, setChoice] = useState<string>('200');
  const [redirectTo, setRedirectTo] = useState('');
  const [delayMs, setDelayMs] = useState('0');
  const [count, setCount] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    const refresh = () => {
      read<HookAnswer>(`/_control/hooks/${name}`).then(setCurrent, (error: unknown) => setProblem(wordsOf(error)));
    };
    // The surrounding page reports a lost connection.
    return listenTo('/_hooks/events', { hello: refresh, answer: refresh, cleared: refresh }, () => setCurrent(null));
  }, [name]);

  const save = (event: FormEvent) => {
    event.preventDefault();
    const settings = {
      ...(choice === 'hang' ? { hang: true } : choice === 'redirect' ? { redirectTo } : { status: Number(choice) }),
      delayMs: Number(delayMs),
      count: count === '' ? null : Number(count),
    };
    post<HookAnswer>(`/_control/hooks/${name}`, settings).then(
      (answer) => {
        setCurrent(answer);
        setProblem(null);
      },
      (error: unknown) => setProblem(wordsOf(error)),
    );
  };

  return (
    <form className="hook-form" onSubmit={save}>
      <p className="quiet wide" role="status">
        {current !== null && `${name} answers ${described(current)}.`}
      </p>
      <label>
        Answer
        <select value={choice} onChange={(event) => setChoice(event.target.value)}>
          {Object.entries(choices).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {choice === 'redirect' && (
        <label className="wide">
          To this address
          <input
            value={redirectTo}
            required
            placeholder="http://127.0.0.1/"
            onChange={(event) => setRedirectTo(event.target.value)}
          />
        </label>
      )}
      <label>
        After milliseconds
        <input
          type="number"
          min="0"
          max="60000"
          required
          value={delayMs}
          onChange={(event) => setDelayMs(event.target.value)}
        />
      </label>
      <label>
        For how many requests
        <input
          type="number"
          min="1"
          placeholder="until changed"
          value={count}
          onChange={(event) => setCount(event.target.value)}
        />
      </label>
      <button className="button primary" type="submit">
        Save answer
      </button>
      {problem !== null && (
        <p className="bad wide" role="alert">
          {problem}
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The sandbox could not be reached.';
}
