import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module.js';
import { CarrierSenders } from './carrier-senders.js';

/** Carriers of senders. The connections to carriers are the worker's alone (`DispatchModule`). */
@Module({ imports: [NumbersModule], providers: [CarrierSenders], exports: [CarrierSenders] })
export class CarriersModule {}
