import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { phoneNumber } from '../carriers/phone-numbers.js';
import { explainFaults } from '../http.js';
import type { NumberStore } from '../carriers/numbers/number-store.js';

const takeBody = z.object({
  number: z.string().transform((text, context) => {
    const number = phoneNumber(text);
    if (number === null) context.addIssue(`is not a phone number in E.164, such as +14155552671: ${text}`);
    return number ?? z.NEVER;
  }),
});

/** Routes for numbers of the product, and for purchases of the carrier's other customers. */
export function numberControlRoutes(numbers: NumberStore) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    app.get('/numbers', async () =>
      numbers.list().map(({ carrier, sid, phoneNumber: number, friendlyName, smsUrl, boughtAtMs }) => ({
        carrier,
        sid,
        number,
        friendlyName,
        smsUrl,
        at: new Date(boughtAtMs).toISOString(),
      })),
    );

    app.post('/numbers/take', async (request) => {
      const { number } = takeBody.parse(request.body ?? {});
      numbers.take(number);
      return { number, taken: true };
    });
  };
}
