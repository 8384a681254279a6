import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module.js';
import { CarrierSenders } from './carrier-senders.js';

/** Carriers of senders. Only the worker connects to carriers (`DispatchModule`). */
@Module({ imports: [NumbersModule], providers: [CarrierSenders], exports: [CarrierSenders] })
export class CarriersModule {}
