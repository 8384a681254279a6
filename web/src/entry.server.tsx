import { prerender } from 'react-dom/static';
import { ServerRouter, type EntryContext } from 'react-router';

/** Runs only at build time: renders a public page to complete HTML. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const { prelude } = await prerender(<ServerRouter context={context} url={request.url} />);
  headers.set('Content-Type', 'text/html');
  return new Response(prelude, { status, headers });
}
