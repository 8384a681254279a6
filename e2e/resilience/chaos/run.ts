import type { Carrier } from '../../../tools/testkit/carrier.js';
import type { Vendors } from '../../../tools/testkit/vendors.js';
import type { Dice } from './dice.js';
import type { Account } from './load/accounts.js';
import type { CarrierFeed } from './load/carrier-feed.js';
import type { Client } from './load/client.js';
import type { Receivers } from './load/receivers.js';
import type { Records } from './load/records.js';
import type { Outages } from './processes/outages.js';
import type { Stage } from './processes/stage.js';
import type { Tally } from './report/tally.js';

/** Context of a run. */
export interface Run {
  readonly seed: number;
  readonly dice: Dice;
  readonly stage: Stage;
  readonly outages: Outages;
  readonly client: Client;
  readonly carrier: Carrier;
  readonly vendors: Vendors;
  readonly feed: CarrierFeed;
  readonly receivers: Receivers;
  readonly accounts: readonly Account[];
  readonly records: Records;
  readonly tally: Tally;
  /** Time when clients stop waiting for answers. */
  readonly patienceEndsMs: number;
}
