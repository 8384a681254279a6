/** An answer by which Twilio refuses: its own code, its text and the HTTP status. */
export class TwilioError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }

  /** The JSON body of Twilio's 2010 API. */
  get body(): { code: number; message: string; more_info: string; status: number } {
    return {
      code: this.code,
      message: this.message,
      more_info: `https://www.twilio.com/docs/errors/${this.code}`,
      status: this.status,
    };
  }
}

/** Why the network did not deliver; sent with the status callback and shown with the message. */
export const UNDELIVERED_CODE = 30003;
export const UNDELIVERED_TEXT = 'Unreachable destination handset';
