import { useQuery } from '@tanstack/react-query';
import type { CarriersView } from '../../control/carriers.routes.js';
import { Frame, mount, Trouble } from '../frame/frame.js';
import { call, useLive } from '../frame/live.js';
import { CarrierCard } from './carrier-card.js';
import './carriers.css';
import { LatestMessages } from './latest-messages.js';

/** Figures of the last minute change without an event. */
const READ_AGAIN_MS = 5_000;

/** The carriers with their states and faults, and the latest messages of all. */
function CarriersPage() {
  const live = useLive('/_carriers/events', ['changed']);
  const { data, isError, dataUpdatedAt } = useQuery({
    queryKey: ['carriers'],
    queryFn: () => call<CarriersView>('/_carriers/state'),
    refetchInterval: READ_AGAIN_MS,
  });
  if (isError || live === 'lost')
    return (
      <Frame part="Carriers" live={live}>
        <Trouble />
      </Frame>
    );
  return (
    <Frame part="Carriers" live={live}>
      <div className="carriers" aria-busy={data === undefined}>
        <h1>Carriers</h1>
        <p className="quiet">
          Let a carrier fail, and watch what becomes of the messages that the product sends meanwhile.
        </p>
        {data && (
          <>
            <ul className="carrier-cards">
              {[...data.carriers, ...data.channels].map((carrier) => (
                <li key={carrier.carrier}>
                  <CarrierCard carrier={carrier} readAtMs={dataUpdatedAt} />
                </li>
              ))}
            </ul>
            <LatestMessages messages={data.messages} />
          </>
        )}
      </div>
    </Frame>
  );
}

mount(<CarriersPage />);
