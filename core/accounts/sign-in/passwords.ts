import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. argon2id is the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Passwords: kept as argon2id hashes (RFC 9106) with a salt of their own. */
@Injectable()
export class Passwords {
  private readonly nobodys = hash('the password of nobody', cost);

  async hash(password: string): Promise<string> {
    return hash(password, cost);
  }

  /** Takes as long for an account that is not there, or has no password, as for a wrong password. */
  async isRight(password: string, kept: string | null | undefined): Promise<boolean> {
    const matches = await verify(kept ?? (await this.nobodys), password);
    return matches && typeof kept === 'string';
  }
}
