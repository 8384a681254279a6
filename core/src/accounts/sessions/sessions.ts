import { Injectable } from '@nestjs/common';

/** Who is signed in. */
export interface SessionAccount {
  readonly accountId: string;
  readonly email: string;
  readonly displayName: string;
}

/** A browser's sessions. Nobody can sign in yet. */
@Injectable()
export class Sessions {
  /** Whose session it is; undefined when there is none. */
  async find(_token: string | undefined): Promise<SessionAccount | undefined> {
    return undefined;
  }
}
