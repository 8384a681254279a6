import { failureOf } from '../../../api/api-failure.js';
import { Dialog } from '../../../dashboard/ui/dialog.js';
import { Button } from '../../../ui/button.js';
import { Notice } from '../../../ui/notice.js';
import styles from './confirm-rotation.module.css';

interface ConfirmRotationProps {
  readonly masked: string;
  readonly hours: number;
  /** How many keys from before still work. */
  readonly earlier: number;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Says what will stop before it does. */
export function ConfirmRotation(props: ConfirmRotationProps) {
  const { masked, hours, earlier, error, isBusy, onConfirm, onClose } = props;
  const end = masked.slice(-4);
  const failure = error && failureOf(error);
  return (
    <Dialog
      title="Replace your API key?"
      onClose={onClose}
      actions={
        <Button look="primary" disabled={isBusy} onClick={onConfirm}>
          {isBusy ? 'Loading...' : 'Replace key'}
        </Button>
      }
    >
      <div className={styles.words}>
        {hours === 0 ? (
          <p>
            The key ending in {end}
            {earlier > 0 && ' and every earlier key'} stops working at once. Programs that still use it are answered
            “User not found for the provided API key” and send nothing until they have the new one.
          </p>
        ) : (
          <p>
            You get a new key now. The key ending in {end} works for {hours} {hours === 1 ? 'hour' : 'hours'} more; then
            programs that still use it send nothing.
          </p>
        )}
        <p>Its test key ends with it. Your credits, messages and webhook stay as they are. This cannot be undone.</p>
        {failure && (
          <Notice kind="bad" role="alert">
            {failure.message} {failure.code === 'too_many_keys' && failure.detail}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
