// Starts the server of the conformance suite and prints its address: `node sdk/conformance/serve.mjs`.
// Node 20 cannot run TypeScript, so the sources are bundled in memory.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('.', import.meta.url));
const bundle = await rolldown({ input: `${folder}conformance-server.ts`, platform: 'node' });
const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
await bundle.close();
const source = Buffer.from(output[0].code).toString('base64');
const { conformanceServer } = await import(`data:text/javascript;base64,${source}`);

const server = conformanceServer(folder);
await once(server.listen(Number(process.argv[2] ?? 0), '127.0.0.1'), 'listening');
process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
