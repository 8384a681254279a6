import { useState } from 'react';
import type { HookLine, HookView } from '../../hooks/hook-book.js';
import { Copyable, mount } from '../frame/frame.js';
import { ItemsPage } from '../frame/items-page.js';
import { AnswerForm } from './answer-form.js';
import { AnsweredStatus, hookAddress, HookDetail } from './hook-detail.js';
import './hooks.css';
import { IconWebhook } from '../frame/icons.js';

const FIRST_NAME = 'my-webhook';

/** The webhook inspector: shows requests to /hooks/in/…. */
function HooksPage() {
  // Shared by all requests, so that it is pasted once. It is sent to the sandbox only.
  const [secret, setSecret] = useState('');
  return (
    <ItemsPage<HookLine, HookView>
      part="Webhooks"
      noun="a request"
      listPath="/_hooks/requests"
      eventsPath="/_hooks/events"
      events={['hook', 'answer', 'cleared']}
      renderLine={(line) => ({
        name: (
          <>
            {line.method} · <AnsweredStatus answered={line.answered} />
            {line.attempt > 1 && ` · attempt ${line.attempt}`}
          </>
        ),
        title: line.name,
        preview: line.preview || 'No body',
      })}
      renderItem={(request) => <HookDetail key={request.id} request={request} secret={secret} onSecret={setSecret} />}
      empty={<Empty />}
    />
  );
}

function Empty() {
  return (
    <>
      <IconWebhook className="drawing" size={96} stroke={1} aria-hidden />
      <h1>No webhook yet</h1>
      <p className="quiet">
        Enter this URL in the product as webhook URL, with any name. Every request to it appears here and is answered as
        you choose.
      </p>
      <Copyable text={hookAddress(FIRST_NAME)} />
      <AnswerForm name={FIRST_NAME} />
    </>
  );
}

mount(<HooksPage />);
