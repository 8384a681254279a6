import { useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { privacy, terms } from '../../content/legal.js';
import { renderPage } from '../../content/render-page.server.js';
import { pageMeta } from '../../site.js';
import { paths } from '../../paths.js';
import { PageFrame } from '../../ui/page-frame.js';
import { PageContent } from '../site/page-content.js';

/** Runs at build time, for the Privacy Policy and for the Terms of Service. */
export function loader({ request }: LoaderFunctionArgs) {
  return renderPage(new URL(request.url).pathname.startsWith(paths.privacy) ? privacy : terms);
}

export const meta: MetaFunction<typeof loader> = (args) =>
  args.loaderData ? pageMeta(args.loaderData.title, args.loaderData.description)(args) : [];

export default function LegalPage() {
  const page = useLoaderData<typeof loader>();
  return (
    <PageFrame title={page.title} isNarrow>
      <PageContent page={page} />
    </PageFrame>
  );
}
