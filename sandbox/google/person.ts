export interface Person {
  readonly name: string;
  readonly email: string;
  readonly isVerified: boolean;
}
