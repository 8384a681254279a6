import type { MessageView } from '../../phone/phone.routes.js';
import { clockTime, filesInWords, readableNumber } from '../frame/format.js';
import { IconDeviceMobileMessage } from '../frame/icons.js';
import { addressOf } from '../frame/live.js';
import { carrierNames, sentStatus } from '../frame/message-status.js';

/** Messages that the carriers took last, newest first. Each row shows its message's state live. */
export function LatestMessages({ messages }: { messages: readonly MessageView[] }) {
  return (
    <section className="latest" aria-label="Latest messages">
      <h2>Latest messages</h2>
      {messages.length === 0 ? (
        <div className="latest-none quiet">
          <IconDeviceMobileMessage className="drawing" size={64} stroke={1} aria-hidden />
          <p>None yet. What the product sends appears here, with the carrier that took it.</p>
        </div>
      ) : (
        <table>
          <thead>
            <tr>
              {['Time', 'Carrier', 'To', 'From', 'Message', 'State'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {messages.map((message) => (
              <Row key={`${message.carrier} ${message.sid}`} message={message} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row({ message }: { message: MessageView }) {
  const { at, carrier, phone, sender, text, media, status, problem } = message;
  const { icon, label, tone = '' } = sentStatus({ status, problem: null });
  return (
    <tr>
      <td className="latest-time">
        <time dateTime={at}>{clockTime(at)}</time>
      </td>
      <td className="latest-carrier">{carrierNames[carrier]}</td>
      <td className="latest-to">
        <a className="link" href={`/phone${addressOf(phone)}`}>
          {readableNumber(phone)}
        </a>
      </td>
      <td className="latest-from">{readableNumber(sender)}</td>
      <td className="latest-text" dir="auto">
        {text || filesInWords(media)}
      </td>
      <td className="latest-state">
        {/* A new element for each state, so that the change is seen. */}
        <span key={status} className={`state ${tone}`} title={problem ?? undefined}>
          {icon} {label}
        </span>
      </td>
    </tr>
  );
}
