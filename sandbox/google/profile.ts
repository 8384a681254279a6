import type { Grant } from './grants.js';
import { initialsOf, subjectOf } from './people.js';

const SCOPE_NAMES: Record<string, string> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};

/** Scopes under the names that Google answers with. */
export function grantedScopes(scopes: readonly string[]): string {
  return [...new Set(scopes.map((scope) => SCOPE_NAMES[scope] ?? scope))].join(' ');
}

/** The claims about a person that the granted scopes open, under the names of OpenID Connect. */
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
