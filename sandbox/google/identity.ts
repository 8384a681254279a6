import { createHash } from 'node:crypto';
import type { Grant } from './authorization.js';
import type { Person } from './person.js';

const RECENT_MAX = 6;
const EMAIL_CHARACTERS_MAX = 254;
const NAME_CHARACTERS_MAX = 100;

// Names that pages must render: short, long, accented and right-to-left. The first person owns the
// demo account.
const READY_MADE: readonly Person[] = [
  { name: 'Penny Demo', email: 'demo@pennytext.example', isVerified: true },
  { name: 'Ada Kowalska', email: 'ada.kowalska@example.com', isVerified: true },
  { name: 'Tomás Ferreira', email: 'tomas@ferreira.example', isVerified: true },
  {
    name: 'Wilhelmina van der Merwe-Featherstonehaugh',
    email: 'w.vandermerwe-featherstonehaugh@example.org',
    isVerified: true,
  },
  { name: 'نور حداد', email: 'noor.haddad@example.com', isVerified: true },
];

/** The accounts in the chooser: recently used, then predefined accounts. */
export class People {
  private recent: readonly Person[] = [];

  get all(): readonly Person[] {
    const used = new Set(this.recent.map(({ email }) => email));
    return [...this.recent, ...READY_MADE.filter(({ email }) => !used.has(email))];
  }

  find(email: string): Person | undefined {
    return this.all.find((person) => person.email === email);
  }

  /** Moves a person to the front. */
  use(person: Person): void {
    this.recent = [person, ...this.recent.filter(({ email }) => email !== person.email)].slice(0, RECENT_MAX);
  }

  clear(): void {
    this.recent = [];
  }
}

/** Parses a manually entered account; returns the error text when it is invalid. */
export function typedPerson(name: string, email: string, isVerified: boolean): Person | string {
  const address = email.trim().toLowerCase();
  if (address === '') return 'Enter an email address.';
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > EMAIL_CHARACTERS_MAX) {
    return 'An email address has a name, an @ and a domain: ada@example.com';
  }
  const words = name.trim().replace(/\s+/g, ' ');
  if (words.length > NAME_CHARACTERS_MAX) return `A name can have up to ${NAME_CHARACTERS_MAX} characters.`;
  return { name: words === '' ? nameFrom(address) : words, email: address, isVerified };
}

/** Google's account id: 21 digits derived from the address. */
export function subjectOf({ email }: Person): string {
  const digits = BigInt(`0x${createHash('sha256').update(email).digest('hex')}`) % 10n ** 20n;
  return `1${digits.toString().padStart(20, '0')}`;
}

/** Initials of a name: one or two letters. */
export function initialsOf(name: string): string {
  const words = name.split(' ').filter(Boolean);
  const first = [...(words[0] ?? '')][0] ?? '';
  const last = words.length > 1 ? ([...(words[words.length - 1] ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}

function nameFrom(address: string): string {
  const words = address
    .slice(0, address.indexOf('@'))
    .split(/[._+-]+/)
    .filter(Boolean);
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || address;
}

const SCOPE_NAMES: Record<string, string> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};

/** Maps scopes to the names in Google's answers. */
export function grantedScopes(scopes: readonly string[]): string {
  return [...new Set(scopes.map((scope) => SCOPE_NAMES[scope] ?? scope))].join(' ');
}

/** The OpenID Connect claims that the granted scopes allow. */
export function profileOf({ person, request }: Grant, baseUrl: string): Record<string, string | boolean> {
  const has = (scope: string) => request.scopes.includes(scope) || request.scopes.includes(SCOPE_NAMES[scope] ?? '');
  const profile: Record<string, string | boolean> = { sub: subjectOf(person) };
  if (has('profile')) {
    const space = person.name.lastIndexOf(' ');
    profile['name'] = person.name;
    profile['given_name'] = space === -1 ? person.name : person.name.slice(0, space);
    if (space !== -1) profile['family_name'] = person.name.slice(space + 1);
    profile['picture'] = `${baseUrl}/_google/picture.svg?${new URLSearchParams({ of: initialsOf(person.name) })}`;
    profile['locale'] = 'en';
  }
  if (has('email')) {
    profile['email'] = person.email;
    profile['email_verified'] = person.isVerified;
  }
  return profile;
}
