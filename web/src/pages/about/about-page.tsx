import { useLoaderData } from 'react-router';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Words } from '../../components/words.js';
import { aboutDates, aboutUs, legalWords, roadmap, type Milestone } from '../../content/about.js';
import { pageMeta } from '../../page-meta.js';
import { PageFrame } from '../../ui/page-frame.js';
import { Prose } from '../../ui/prose.js';
import styles from './about-page.module.css';

/** Runs at build. */
export const loader = () => ({ aboutUs, aboutDates, legalWords, roadmap });

export const meta = pageMeta('About', 'Who Pennytext is for, what we take trouble over, and our roadmap.');

export default function AboutPage() {
  const words = useLoaderData<typeof loader>();
  return (
    <PageFrame title="About Pennytext">
      <Prose>
        {words.aboutUs.map((paragraph) => (
          <p key={paragraph}>
            <Words text={paragraph} />
          </p>
        ))}
        <h2>Roadmap</h2>
        <ol className={styles.roadmap}>
          {words.roadmap.map((milestone) => (
            <Step key={milestone.date} {...milestone} />
          ))}
        </ol>
        <p className={styles.dates}>
          <Words text={words.aboutDates} />
        </p>
        <h2>Privacy and terms</h2>
        <p>
          <Words text={words.legalWords} />
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
