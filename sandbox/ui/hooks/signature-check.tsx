import { useState, type FormEvent } from 'react';
import type { HookView } from '../../hooks/hook-request.js';
import type { HookVerdict } from '../../hooks/hook-signature.js';
import { clockTime, dayName } from '../frame/format.js';
import { post } from '../frame/read.js';

interface SignatureCheckProps {
  readonly request: HookView;
  readonly secret: string;
  onSecret(secret: string): void;
}

/** The three headers of Standard Webhooks, and whether the signature holds under a secret. */
export function SignatureCheck({ request, secret, onSecret }: SignatureCheckProps) {
  const [verdict, setVerdict] = useState<HookVerdict | null>(null);
  const { id, timestamp, signature } = request.webhook;
  const check = (event: FormEvent) => {
    event.preventDefault();
    post<HookVerdict>(`/_hooks/requests/${request.id}/verdict`, { secret }).then(setVerdict, (error: unknown) =>
      setVerdict({
        holds: false,
        reason: error instanceof Error ? error.message : 'The sandbox could not be reached.',
      }),
    );
  };
  return (
    <div className="pane-scroll">
      <dl className="facts hook-facts">
        <div>
          <dt>webhook-id</dt>
          <dd>{id ?? <Missing />}</dd>
        </div>
        <div>
          <dt>webhook-timestamp</dt>
          <dd>{timestamp === null ? <Missing /> : `${timestamp}${timeOf(timestamp)}`}</dd>
        </div>
        <div>
          <dt>webhook-signature</dt>
          <dd>{signature ?? <Missing />}</dd>
        </div>
      </dl>
      <form className="hook-form" onSubmit={check}>
        <label className="wide">
          Signing secret
          <input
            value={secret}
            placeholder="whsec_…"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              onSecret(event.target.value);
              setVerdict(null);
            }}
          />
        </label>
        <button className="button primary" type="submit" disabled={secret.trim() === ''}>
          Check
        </button>
      </form>
      <p className={verdict?.holds ? 'good' : 'bad'} role="status">
        {verdict?.reason}
      </p>
    </div>
  );
}

function Missing() {
  return <span className="quiet">not sent</span>;
}

function timeOf(timestamp: string): string {
  if (!/^\d{1,12}$/.test(timestamp)) return '';
  const at = new Date(Number(timestamp) * 1000).toISOString();
  return ` (${dayName(at)}, ${clockTime(at)})`;
}
