import { useLoaderData, type MetaFunction } from 'react-router';
import { WordsPage } from '../../components/words-page.js';
import { terms } from '../../content/terms.js';
import { showPage } from '../../content/show-page.server.js';
import { pageMeta } from '../../page-meta.js';

/** Runs at build. */
export const loader = () => showPage(terms);

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData ? pageMeta(args.loaderData.title, args.loaderData.description)(args) : [];

export default function TosPage() {
  return <WordsPage page={useLoaderData<typeof loader>()} />;
}
