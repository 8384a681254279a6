import { errorCatalogue } from '#contract/errors.js';
import { createKeyPath, paths } from '../../paths.js';
import { site } from '../../site.js';
import { code, list, note, type Page, steps, table } from '../page.js';
import { globally } from './install.js';

const settings = (key: string) => ({
  [key]: {
    pennytext: {
      command: 'pennytext',
      args: ['mcp'],
      env: { PENNYTEXT_URL: site.url, PENNYTEXT_API_KEY: 'YOUR_API_KEY' },
    },
  },
});
const shown = (value: object) => JSON.stringify(value, null, 2);

export const mcp: Page = {
  path: paths.mcp,
  title: 'AI assistants (MCP)',
  description:
    'Let an AI assistant send SMS through the MCP server of pennytext: installation, settings of clients, tools, ' +
    'and the budget that limits what it can spend.',
  intro: [
    'The command `pennytext mcp` gives AI assistants tools to send an SMS, to ask what it costs and to see what ' +
      'became of it. It speaks the Model Context Protocol over standard input and output, on your own machine.',
  ],
  sections: [
    {
      title: 'Install',
      blocks: [
        globally,
        'Assistants start the command from any folder, so install it globally. It needs Node 20 or newer.',
      ],
    },
    {
      title: 'Create a key with a budget',
      blocks: [
        steps(
          `[Create an API key](${createKeyPath}) in the dashboard.`,
          'Give it credits per day or per month: no more is ever spent on messages with it. Replies cost extra.',
          'Choose the scopes `read` and `send`, and `numbers` if it may buy and release numbers. Countries and an ' +
            'expiry limit it further.',
        ),
        note(
          'Every tool refuses a key without a budget. The main key of your account has none, so it is refused: ' +
            'an assistant must not be able to spend all your credits.',
        ),
        `A [test key](${paths.testing}) works without a budget: everything is checked, and nothing is sent or charged.`,
      ],
    },
    {
      title: 'Add it to your assistant',
      blocks: [
        'Claude Desktop (`claude_desktop_config.json`), Cursor (`.cursor/mcp.json`), Windsurf and most others:',
        code('Settings with mcpServers', 'json', shown(settings('mcpServers'))),
        'Visual Studio Code (`.vscode/mcp.json`):',
        code('Settings with servers', 'json', shown(settings('servers'))),
        'Claude Code:',
        code(
          'Claude Code',
          'bash',
          `claude mcp add pennytext \\
  --env PENNYTEXT_URL=${site.url} \\
  --env PENNYTEXT_API_KEY=YOUR_API_KEY \\
  -- pennytext mcp`,
        ),
        'Restart the assistant and ask: "How many credits do I have left?"',
      ],
    },
    {
      title: 'Tools',
      blocks: [
        table(
          ['Tool', 'Fields', 'Effect', 'Scope'],
          [
            ['`balance`', '', 'Shows your credits and what is left of the budget', '`read`'],
            ['`quote`', '`to`, `message`', `Shows the [price](${paths.prices}); sends nothing`, '`read`, `send`'],
            [
              '`send`',
              '`to`, `message`, `max_credits`',
              'Sends an SMS, for `max_credits` or less; pictures by public https URLs, never files of your machine',
              '`read`, `send`',
            ],
            ['`status`', '`message_id`', `Shows the [status of a message](${paths.messageStatus})`, '`read`'],
            ['`search_numbers`', '`type`, `area_code`', 'Shows numbers for sale', '`read`, `numbers`'],
            [
              '`buy_number`',
              '`number`, `label`',
              `Buys a [number](${paths.numbers}), within the budget`,
              '`read`, `numbers`',
            ],
            ['`release_number`', '`number_id`, `at`', 'Gives a number up, in a day', '`read`, `numbers`'],
            ['`keep_number`', '`number_id`', 'Undoes a release until then', '`read`, `numbers`'],
          ],
        ),
        'Each tool reads the budget first, which needs the scope `read`. `send`, `buy_number`, `release_number` ' +
          'and `keep_number` are marked as ones that change something: clients ask you before they call them, unless ' +
          'you have allowed it.',
      ],
    },
    {
      title: 'When a tool refuses',
      blocks: [
        'A refusal is the answer of the tool, so that the assistant can read the reason.',
        table(
          ['Reason', 'What to do'],
          [
            ['`Refused: this API key has no budget`', 'Use a key with credits per day or per month, or a test key.'],
            [`[\`key_scope\`](${paths.errors}#key_scope)`, 'Add the scopes `read` and `send` to the key.'],
            [
              `[\`key_budget\`](${paths.errors}#key_budget), HTTP ${errorCatalogue.key_budget.status}`,
              'The budget is used up. It starts again the next day or month, in New York time.',
            ],
            [`[\`unknown_api_key\`](${paths.errors}#unknown_api_key)`, 'Check `PENNYTEXT_API_KEY` in the settings.'],
          ],
        ),
        list(
          'The key is read from the variable `PENNYTEXT_API_KEY`, or from what `pennytext login` has saved.',
          `The dashboard lists every call of the assistant under [Requests](${paths.dashboardRequests}).`,
        ),
      ],
    },
  ],
};
