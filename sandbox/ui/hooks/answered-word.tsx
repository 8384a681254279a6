import type { HookAnswered } from '../../hooks/hook-request.js';

/** How a request was answered, in a word. */
export function AnsweredWord({ answered }: { answered: HookAnswered }) {
  if (answered.status === null) return <span className="quiet">No answer</span>;
  const isTaken = answered.status < 300;
  return <span className={isTaken ? 'good' : 'bad'}>{answered.status}</span>;
}
