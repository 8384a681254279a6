import { Injectable } from '@nestjs/common';

/** Whether this process has been told to stop: it still serves, and asks for no more. */
@Injectable()
export class Draining {
  private begun = false;

  get isOn(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }
}
