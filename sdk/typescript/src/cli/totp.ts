import { writeFile } from 'node:fs/promises';
import type { ListedTotp } from '../api-types.js';
import { argument, type Command } from './command.js';
import { plural } from './messages.js';
import { UsageError } from './terminal.js';

const EXIT_NOT_VERIFIED = 1;
const LISTED = 20;
/** The QR code contains the secret. */
const OWNER_ONLY = 0o600;

export const totp: Command = {
  usage: 'totp ACTION [VALUE] [CODE]',
  about: 'Create authenticators for apps, and verify their codes.',
  details: `  pennytext totp create LABEL            prints its TOTP_ID and its secret, once
  pennytext totp verify TOTP_ID CODE     a code of the app or for recovery; exit code 0 only if it is verified
  pennytext totp recovery-codes TOTP_ID  makes new ones and prints them, once
  pennytext totp list                    the latest authenticators, never their secrets
  pennytext totp show TOTP_ID            one of them
  pennytext totp delete TOTP_ID          deletes it with its recovery codes

Needs a key with the scope "otp". All of it is free.`,
  options: {
    issuer: { type: 'string', value: 'NAME', about: 'create: your name in the app.' },
    svg: { type: 'string', value: 'FILE', about: 'create: saves the QR code, which contains the secret.' },
    count: { type: 'string', value: 'COUNT', about: 'list: how many, 20 unless you set it.' },
  },
  async run({ client, terminal, signal }, args, values) {
    switch (args[0] ?? '') {
      case 'create': {
        const request = { label: argument(args, 1), issuer: values.text('issuer') };
        const created = await client().totp.create(request, { signal });
        terminal.print(created, `${created.totp_id}  ${created.secret}`, created.otpauth_url);
        const file = values.text('svg');
        if (file !== undefined) await writeFile(file, created.qr_svg, { mode: OWNER_ONLY });
        return;
      }
      case 'verify': {
        const verdict = await client().totp.verify(argument(args, 1), { code: argument(args, 2) }, { signal });
        const { status, locked_until: until, attempts_left: left } = verdict;
        terminal.print(verdict, `${status}, ${until === null ? `${plural(left, 'attempt')} left` : `until ${until}`}`);
        return status === 'verified' ? 0 : EXIT_NOT_VERIFIED;
      }
      case 'recovery-codes': {
        const made = await client().totp.recoveryCodes(argument(args, 1), { signal });
        terminal.print(made, ...made.recovery_codes);
        return;
      }
      case 'list': {
        const found = await client()
          .totp.list({ signal })
          .take(values.number('count') ?? LISTED);
        for (const one of found) terminal.print(one, lineOf(one));
        if (found.length === 0) terminal.note('There are none.');
        return;
      }
      case 'show': {
        const shown = await client().totp.get(argument(args, 1), { signal });
        terminal.print(shown, lineOf(shown));
        return;
      }
      case 'delete': {
        const deleted = await client().totp.delete(argument(args, 1), { signal });
        terminal.print(deleted, `${deleted.totp_id} deleted.`);
        return;
      }
      default:
        throw new UsageError('The action is create, verify, recovery-codes, list, show or delete.');
    }
  },
};

function lineOf({
  created_at: at,
  totp_id: id,
  label,
  verified_at: verifiedAt,
  locked_until: until,
}: ListedTotp): string {
  const state = until !== null ? `locked until ${until}` : verifiedAt === null ? 'not verified yet' : 'verified';
  return `${at}  ${id}  ${label}  ${state}`;
}
