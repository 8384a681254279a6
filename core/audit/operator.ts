import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';

/**
 * The person who runs the commands of this process. Servers and workers have no operator: accounts
 * and providers cause their actions.
 */
export class Operator {
  constructor(private readonly known: string | undefined) {}

  /** The name; undefined for an operator who only reads and has given no name. */
  get name(): string | undefined {
    return this.known;
  }

  /** Returns the name. Throws `invalid_request` without a name. */
  named(): string {
    if (this.known === undefined) throw new DomainError('invalid_request', 'Name yourself with --as NAME.');
    return this.known;
  }
}

/** Provides the {@link Operator} of the process to every module. */
@Global()
@Module({})
export class OperatorModule {
  static of(name: string | undefined): DynamicModule {
    return {
      module: OperatorModule,
      providers: [{ provide: Operator, useValue: new Operator(name) }],
      exports: [Operator],
    };
  }
}
