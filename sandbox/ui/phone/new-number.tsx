import { type FormEvent, useEffect, useRef, useState } from 'react';

const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

interface NewNumberProps {
  /** The suggested number of the product. */
  readonly sender: string;
  onChoose(phone: string, sender: string): void;
  onClose(): void;
}

/** Asks for the phone's own number and the product's number. */
export function NewNumber({ sender, onChoose, onClose }: NewNumberProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [phone = '', to = ''] = ['phone', 'sender'].map((name) => bare(form.get(name)));
    if (!PHONE_NUMBER.test(phone)) setProblem('A phone number begins with + and its country code: +14155552671');
    else if (to === '') setProblem('Enter the number of the product to write to.');
    else if (to === phone) setProblem('A phone cannot write to itself.');
    else onChoose(phone, to);
  };

  return (
    <dialog className="dialog" ref={dialog} aria-labelledby="new-number" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="new-number">New number</h2>
        <p className="quiet">Write as any phone number. No real phone is called or texted.</p>
        <label>
          This phone's number
          <input name="phone" type="tel" autoComplete="off" placeholder="+14155552671" aria-describedby="problem" />
        </label>
        <label>
          The product's number
          <input name="sender" type="tel" autoComplete="off" defaultValue={sender} />
        </label>
        <p id="problem" className="bad dialog-problem" role="alert">
          {problem}
        </p>
        <div className="dialog-actions">
          <button className="button" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="button primary" type="submit">
            Start writing
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Removes punctuation from an entered number. */
function bare(field: FormDataEntryValue | null): string {
  return typeof field === 'string' ? field.replace(/[\s().-]/g, '') : '';
}
