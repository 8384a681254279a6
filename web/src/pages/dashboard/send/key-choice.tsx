import styles from './key-choice.module.css';

const choices = [
  [false, 'Test key', 'Checks everything. Sends and charges nothing.'],
  [true, 'Live key', 'Sends the message and charges your credits.'],
] as const;

interface KeyChoiceProps {
  readonly isLive: boolean;
  readonly onChange: (isLive: boolean) => void;
}

/** With which key the message goes. */
export function KeyChoice({ isLive, onChange }: KeyChoiceProps) {
  return (
    <fieldset className={styles.choice}>
      <legend>Send with</legend>
      {choices.map(([live, name, meaning]) => (
        <label key={name} className={styles.option}>
          <input type="radio" name="key" checked={isLive === live} onChange={() => onChange(live)} />
          <span>
            {name}
            <small>{meaning}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
