import type { Milestone } from '../../content/about.js';
import { usePageData } from '../../loading.js';
import type { AboutData } from '../../page-data.server.js';
import { PageMeta } from '../../page-meta.js';
import { PageFrame, Prose } from '../../ui/page-frame.js';
import { RichText } from '../../ui/rich-text.js';
import styles from './about-page.module.css';
import { IconCircleCheck, IconCircleDashed } from '../../ui/line-icons.js';

export default function AboutPage() {
  const words = usePageData<AboutData>();
  return (
    <PageFrame title="About Pennytext">
      <PageMeta title="About" description="Who Pennytext is for, what we care about, and our roadmap." />
      <Prose>
        {words.aboutUs.map((paragraph) => (
          <p key={paragraph}>
            <RichText text={paragraph} />
          </p>
        ))}
        <h2>Roadmap</h2>
        <ol className={styles.roadmap}>
          {words.roadmap.map((milestone) => (
            <Step key={milestone.date} {...milestone} />
          ))}
        </ol>
        <p className={styles.dates}>
          <RichText text={words.builtSince} />
        </p>
        <h2>Privacy and terms</h2>
        <p>
          <RichText text={words.legalWords} />
        </p>
      </Prose>
    </PageFrame>
  );
}

function Step({ date, what, isDone }: Milestone) {
  const Icon = isDone ? IconCircleCheck : IconCircleDashed;
  return (
    <li className={isDone ? styles.done : styles.planned}>
      <Icon size={24} aria-hidden="true" />
      <div>
        <p className={styles.date}>
          {date} <span className={styles.state}>{isDone ? 'Completed' : 'Planned'}</span>
        </p>
        <p>{what}</p>
      </div>
    </li>
  );
}
