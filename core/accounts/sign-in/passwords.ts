import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. argon2id is the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and verifies passwords with argon2id (RFC 9106). */
@Injectable()
export class Passwords {
  /** Verified in place of a missing hash, so that both cases take the same time. */
  private readonly dummyHash = hash('the dummy password', cost);

  async hash(password: string): Promise<string> {
    return hash(password, cost);
  }

  /** Takes as long without a hash as for a wrong password. */
  async verify(password: string, passwordHash: string | null | undefined): Promise<boolean> {
    const matches = await verify(passwordHash ?? (await this.dummyHash), password);
    return matches && typeof passwordHash === 'string';
  }
}
