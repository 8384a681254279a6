import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DomainError } from '../platform/errors/domain-error.js';

/**
 * The person who runs the commands of this process. Servers and workers have none: what they do is
 * done by accounts and providers.
 */
export class Operator {
  constructor(private readonly known: string | undefined) {}

  /** The name, or undefined for one who only reads and has given none. */
  get name(): string | undefined {
    return this.known;
  }

  /** Returns the name. Throws `invalid_request` if there is none. */
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
