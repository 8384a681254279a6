import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { Config } from '../platform/config/config.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { BuyNumber } from './buy-number.js';
import { type BuildNumberCarriers, NumberCarriers } from './number-carriers.js';
import { NumberDirectory } from './number-directory.js';
import { NumberErasure } from './number-erasure.js';
import { NumberEvents } from './number-events.js';
import { NumberHealth } from './number-health.js';
import { NumberList } from './number-list.js';
import { NumberMoney } from './number-money.js';
import { NumberRent } from './number-rent.js';
import { NumberTrafficFigures } from './number-traffic.js';
import { Numbers } from './numbers.js';
import { NumbersRepository } from './numbers.repository.js';
import { OperatorNumbers } from './operator-numbers.js';
import { OrderEntity } from './order.entity.js';
import { OrderOutcomes } from './order-outcomes.js';
import { OrdersRepository } from './orders.repository.js';
import { PoolNumberEntity } from './pool-number.entity.js';
import { PoolEntity } from './pool.entity.js';
import { Pools } from './pools.js';
import { ReconcileNumbers } from './reconcile-numbers.js';
import { ReleaseNumber } from './release-number.js';
import { ReserveNumber } from './reserve-number.js';
import { SearchNumbers } from './search-numbers.js';
import { SettleDueOrders } from './settle-due-orders.js';
import { SettleOrder } from './settle-order.js';
import { WaitingMessages } from './waiting-messages.js';

const known = [NumberDirectory, OperatorNumbers, WaitingMessages];

/** Accounts' own numbers, as sending and receiving need them. */
@Module({
  imports: [TypeOrmModule.forFeature([OrderEntity, PoolEntity, PoolNumberEntity]), AccountsModule],
  providers: [...known, NumberErasure],
  exports: known,
})
export class NumbersModule {}

const sold = [
  SearchNumbers,
  BuyNumber,
  NumberList,
  Numbers,
  ReserveNumber,
  NumberHealth,
  NumberRent,
  NumberMoney,
  Pools,
  SettleDueOrders,
  ReconcileNumbers,
];

/** Numbers that accounts buy; the composition root builds the carriers that sell them. */
@Module({})
export class NumberSalesModule {
  static over(build: BuildNumberCarriers): DynamicModule {
    return {
      module: NumberSalesModule,
      global: true,
      imports: [NumbersModule, AccountsModule, AuditModule, CreditsModule, WebhooksModule],
      providers: [
        ...sold,
        NumberEvents,
        NumberTrafficFigures,
        ReleaseNumber,
        NumbersRepository,
        OrderOutcomes,
        OrdersRepository,
        SettleOrder,
        {
          provide: NumberCarriers,
          inject: [Config],
          useFactory: async (config: Config) => new NumberCarriers(await build(config), config.numbers.carrier),
        },
      ],
      exports: sold,
    };
  }
}
