import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Balance } from '../api-types.js';
import type { Pennytext } from '../client.js';
import { PennytextError } from '../errors.js';
import type { Context } from './command.js';

const FILES_MAX = 10;

const to = z.string().describe('Phone number of the recipient with + and country code, such as +12025550142.');
const message = z.string().describe('The text of the SMS.');

const media = z
  .array(z.url({ protocol: /^https$/ }))
  .max(FILES_MAX)
  .optional()
  .describe(
    'Public URLs of pictures to send with it, as MMS to the USA or Canada. Files of this machine cannot be sent.',
  );

/** Maximum of numbers that a search shows. */
const SEARCHED = 10;

const NO_BUDGET =
  'Refused: this API key has no budget, so a program could spend all credits of the account. Create a ' +
  'key with credits per day or per month and the scopes "send" and "read" in the dashboard under API ' +
  'keys, or use a test key.';

/**
 * Serves the tools over standard input and output until the client ends it (Model Context
 * Protocol).
 */
export async function serveMcp({ client: connect, signal }: Context, version: string): Promise<void> {
  const client = connect();
  const server = new McpServer({ name: 'pennytext', version });
  const { registerTool } = toolsOf(server, client, signal);

  registerTool('balance', 'Show the credits of the account and the budget of the key.', {}, true, (_input, balance) =>
    Promise.resolve(balance),
  );
  registerTool('quote', 'Show the price of an SMS in credits. Sends nothing.', { to, message, media }, true, (input) =>
    client.quote(withFiles(input), { signal }),
  );
  registerTool(
    'send',
    'Send an SMS. It costs credits and reaches a person: ask before you send unless you were asked to send.',
    {
      to,
      message,
      media,
      from: z.string().optional().describe('A number of the account, or the id of one or of a pool.'),
      encoding: z.enum(['auto', 'gsm7', 'smart']).optional().describe('"smart" makes typographic characters plain.'),
      max_credits: z.int().positive().optional().describe('Refuse a higher price.'),
    },
    false,
    (input) => client.send(withFiles(input), { signal }),
  );
  registerTool(
    'status',
    'Show the status of a message.',
    { message_id: z.string().describe('The id that send returned: SM and 32 hex digits.') },
    true,
    (input) => client.messages.get(input.message_id, { signal }),
  );

  // Buying comes with releasing: what an assistant has bought, it can give back.
  registerTool(
    'search_numbers',
    'Search phone numbers that can be bought, with their prices in credits.',
    {
      type: z.enum(['local', 'toll_free']).optional(),
      country: z.string().optional().describe('US (default) or CA.'),
      area_code: z.string().optional().describe('Three digits.'),
      contains: z.string().optional().describe('Digits in a row.'),
    },
    true,
    (input) => client.numbers.available({ ...input, limit: SEARCHED }, { signal }),
  );
  registerTool(
    'buy_number',
    'Buy a phone number. It costs credits now and every month: ask before you buy unless you were asked to buy.',
    {
      number: z.string().describe('A number that search_numbers listed.'),
      label: z.string().optional().describe('A name for it.'),
    },
    false,
    (input) => client.numbers.buy(input, { signal }),
  );
  registerTool(
    'release_number',
    'Give a phone number up. Nothing is sent from it any more, and in a day, in which keep_number undoes this, it is ' +
      'released: replies to it do not arrive any more, messages that wait are refunded, paid credits are not ' +
      'returned, and it may be lost for good: ask before you release it unless you were asked to.',
    {
      number_id: z.string().describe('The id that buy_number returned: num_ and 32 hex digits.'),
      at: z.enum(['now', 'renews_at']).optional().describe('renews_at: when the paid month ends.'),
    },
    false,
    (input) => client.numbers.release(input.number_id, input.at, { signal }),
  );
  registerTool(
    'keep_number',
    'Undo the release of a phone number that has not taken effect.',
    { number_id: z.string().describe('The id that buy_number returned: num_ and 32 hex digits.') },
    false,
    (input) => client.numbers.keep(input.number_id, { signal }),
  );

  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}

function withFiles<Input extends { readonly media?: readonly string[] | undefined }>({ media: urls, ...input }: Input) {
  return { ...input, ...(urls && { media: urls.map((url) => ({ url })) }) };
}

/**
 * Registers tools that work with a budgeted key only. Failures are results, so that the model can
 * read the reason.
 */
function toolsOf(server: McpServer, client: Pennytext, signal: AbortSignal) {
  const registerTool = <Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: Shape,
    readOnlyHint: boolean,
    call: (input: z.infer<z.ZodObject<Shape>>, balance: Balance) => Promise<object>,
  ): void => {
    const schema = z.object(shape);
    const annotations = {
      readOnlyHint,
      destructiveHint: !readOnlyHint,
      idempotentHint: readOnlyHint,
      openWorldHint: true,
    };
    server.registerTool(name, { description, inputSchema: schema, annotations }, async (input: unknown) => {
      try {
        const balance = await client.balance({ signal });
        if (!balance.budget && !balance.test) return refusal(NO_BUDGET);
        return result(await call(schema.parse(input), balance));
      } catch (error) {
        if (error instanceof PennytextError) return refusal(refusalText(error));
        throw error;
      }
    });
  };
  return { registerTool };
}

/** The reason, and the fields with which the tool would succeed. */
function refusalText({ code, detail, fix }: PennytextError): string {
  return `${code}: ${detail}${fix ? ` These fields would succeed: ${JSON.stringify(fix.body)}` : ''}`;
}

const result = (answer: object): CallToolResult => ({ content: [{ type: 'text', text: JSON.stringify(answer) }] });
const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
