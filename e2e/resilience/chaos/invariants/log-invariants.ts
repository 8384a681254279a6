import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complaintsOf, type Complaint } from '../../../../tools/testkit/log-lines.js';
import { holdsOf, type Invariant } from '../../../../tools/testkit/invariants.js';

const ownPrograms = /^(server|worker)-\d\.log$/;
/** Texts of uncaught errors, by Node and by the product. */
const unexpected = /unhandled|uncaught|ERR_|TypeError|RangeError|ReferenceError|worker stopped|Possible .*leak/i;
/** Messages of processes that could not start. */
const explained = /^(Cannot |The database|Postgres is not available|A service does not answer)/;

/** Logs of servers and workers: no uncaught error. */
export function logInvariants(logFolder: string): { invariants: Invariant[]; complaints: Complaint[] } {
  const logs = readdirSync(logFolder).filter((name) => ownPrograms.test(name));
  const of = new Map(logs.map((name) => [name, complaintsOf(readFileSync(join(logFolder, name), 'utf8'))]));
  const all = [...of].flatMap(([name, complaints]) => complaints.map((complaint) => ({ name, ...complaint })));
  return {
    invariants: [
      holdsOf('no log has an uncaught error', all, ({ name, text, example }) => {
        const isPlain = !example.startsWith('{') && !explained.test(text);
        return isPlain || unexpected.test(text) ? `${name}: ${text}` : undefined;
      }),
    ],
    complaints: all,
  };
}
