import { sandboxUrlOf, serverUrlOf } from '../processes/environment.js';
import type { Product } from './product.js';

/** Signs a person in at the sandbox's Google, as a browser does, and returns the session's cookie. Needs server and sandbox. */
export async function signIn({ prepared: { place } }: Product): Promise<string> {
  const left = await fetch(`${serverUrlOf(place)}/auth/google`, { redirect: 'manual' });
  const person = { name: 'Ada Lovelace', email: 'ada@pennytext.example', email_verified: 'true' };
  const chosen = await fetch(placeOf(left, sandboxUrlOf(place)), {
    method: 'POST',
    body: new URLSearchParams(person),
    redirect: 'manual',
  });
  const back = await fetch(placeOf(chosen, serverUrlOf(place)), {
    headers: { cookie: cookiesOf(left) },
    redirect: 'manual',
  });
  const session = cookiesOf(back);
  if (!session.includes('session=')) throw new Error(`The sign-in ended with ${back.status} and no session`);
  return session;
}

function placeOf(answer: Response, url: string): URL {
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`${answer.url} answered ${answer.status} and leads nowhere`);
  return new URL(location, url);
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
