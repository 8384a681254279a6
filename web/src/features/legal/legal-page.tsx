import type { RenderedPage } from '../../content/page.js';
import { usePageData } from '../../loading.js';
import { PageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';
import { PageContent } from '../site/page-content.js';

/** The Privacy Policy or the Terms of Service. */
export default function LegalPage() {
  const page = usePageData<RenderedPage>();
  return (
    <PageFrame title={page.title} isNarrow>
      <PageMeta {...page} />
      <PageContent page={page} />
    </PageFrame>
  );
}
