import { useEffect, useRef, useState, type FormEvent } from 'react';

const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

interface NewNumberProps {
  /** The product's number that is offered first. */
  readonly sender: string;
  onChoose(phone: string, sender: string): void;
  onClose(): void;
}

/** Asks for a number to be, and for the product's number to write to. */
export function NewNumber({ sender, onChoose, onClose }: NewNumberProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    first.current?.setSelectionRange(first.current.value.length, first.current.value.length);
  }, []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [phone = '', to = ''] = ['phone', 'sender'].map((name) => bare(form.get(name)));
    if (!PHONE_NUMBER.test(phone)) setProblem('A phone number begins with + and its country code: +14155552671');
    else if (to === '') setProblem('Say which number of the product to write to.');
    else if (to === phone) setProblem('A phone cannot write to itself.');
    else onChoose(phone, to);
  };

  return (
    <dialog className="dialog" ref={dialog} aria-labelledby="new-number" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <h2 id="new-number">New number</h2>
        <p className="quiet">Be any phone in the world. Nobody is called or texted.</p>
        <label>
          This phone's number
          <input
            ref={first}
            name="phone"
            type="tel"
            autoComplete="off"
            defaultValue="+1415555"
            aria-describedby="new-number-problem"
          />
        </label>
        <label>
          The product's number
          <input name="sender" type="tel" autoComplete="off" defaultValue={sender} />
        </label>
        <p id="new-number-problem" className="bad dialog-problem" role="alert">
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

/** What was typed, without the punctuation people write into numbers. */
function bare(field: FormDataEntryValue | null): string {
  return typeof field === 'string' ? field.replace(/[\s().-]/g, '') : '';
}
