import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { FilteredView, SavedFilter, SavedFiltersAnswer } from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { changeFilter, deleteFilter, saveFilter, savedFiltersQuery } from '../../api/account.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { formText } from '../../ui/form.js';
import { PopoverButton } from '../../ui/popover-button.js';
import { showToast } from '../../ui/toast.js';
import { ActionFailure, FailureNotice } from '../failures/failures.js';
import { useTablePage } from '../frame/dashboard-context.js';
import styles from './saved-filters.module.css';

interface SavedFiltersProps {
  readonly view: FilteredView;
  /** The filters that are set, as a query string. */
  readonly query: string;
  /** A filter is set, so that there is something to save. */
  readonly isSet: boolean;
}

/** Filters of a view that the account has saved by name. */
export function SavedFilters(props: SavedFiltersProps) {
  return <PopoverButton label="Saved filters">{(close) => <Panel {...props} onDone={close} />}</PopoverButton>;
}

function Panel({ view, query, isSet, onDone }: SavedFiltersProps & { onDone: () => void }) {
  const [edited, edit] = useState<string>();
  const [, setAddress] = useSearchParams();
  const { setPage } = useTablePage();
  const { data, error, refetch } = useQuery({ ...savedFiltersQuery(view), refetchOnMount: 'always' });
  const apply = (filter: SavedFilter) => {
    // Other filters start on the first page.
    setPage(1);
    setAddress(new URLSearchParams(filter.query), { replace: true, preventScrollReset: true });
    onDone();
  };
  return (
    <div className={styles.panel}>
      {error && !data && (
        <FailureNotice error={error} what="Your saved filters could not be loaded." onRetry={() => void refetch()} />
      )}
      {!data && !error && <p className={styles.note}>Loading...</p>}
      {data?.filters.length === 0 && (
        <p className={styles.note}>
          {isSet ? 'None yet. Saved filters are listed here.' : 'None yet. Set filters to save them by name.'}
        </p>
      )}
      {data && data.filters.length > 0 && (
        <ul className={styles.list}>
          {data.filters.map((filter) => (
            <li key={filter.id}>
              <div className={styles.filter}>
                <button
                  type="button"
                  className={styles.name}
                  aria-pressed={filter.query === query}
                  onClick={() => apply(filter)}
                >
                  <bdi>{filter.name}</bdi>
                </button>
                <Button
                  aria-label={`Edit ${filter.name}`}
                  aria-expanded={edited === filter.id}
                  onClick={() => edit(edited === filter.id ? undefined : filter.id)}
                >
                  Edit
                </Button>
              </div>
              {edited === filter.id && (
                <Edit filter={filter} view={view} query={query} isSet={isSet} onDone={() => edit(undefined)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {isSet && data && <Save view={view} query={query} />}
    </div>
  );
}

/** Runs a change, and shows the view's filters from the answer. */
function useChange<Given>(view: FilteredView, change: (given: Given) => Promise<SavedFiltersAnswer>) {
  const client = useQueryClient();
  const key = savedFiltersQuery(view).queryKey;
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => client.setQueryData(key, answer),
    // Another tab may have changed the filters.
    onError: () => void client.invalidateQueries({ queryKey: key }),
  });
}

function Save({ view, query }: { view: FilteredView; query: string }) {
  const save = useChange(view, saveFilter);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = formText(new FormData(form), 'name').trim();
    const onSuccess = () => {
      form.reset();
      showToast(`Saved as “${name}”.`);
    };
    if (name !== '') save.mutate({ view, name, query }, { onSuccess });
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Field
        label="Save these filters as"
        name="name"
        dir="auto"
        autoComplete="off"
        maxLength={limits.savedFilterNameCharactersMax}
      />
      <Button type="submit" disabled={save.isPending}>
        Save
      </Button>
      <ActionFailure error={save.error} what="The filters were not saved." />
    </form>
  );
}

interface EditProps extends SavedFiltersProps {
  readonly filter: SavedFilter;
  readonly onDone: () => void;
}

/** Renames, replaces or deletes a saved filter. */
function Edit({ filter: { id, name }, view, query, isSet, onDone }: EditProps) {
  const change = useChange(view, (body: { name?: string; query?: string }) => changeFilter(id, body));
  const remove = useChange(view, () => deleteFilter(id));
  const isPending = change.isPending || remove.isPending;
  const done = (text: string) => () => {
    showToast(text);
    onDone();
  };
  const rename = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = formText(new FormData(event.currentTarget), 'name').trim();
    if (wanted !== '') change.mutate({ name: wanted }, { onSuccess: done(`Renamed to “${wanted}”.`) });
  };
  return (
    <form className={styles.form} noValidate onSubmit={rename}>
      <Field
        label="Name"
        name="name"
        dir="auto"
        autoComplete="off"
        defaultValue={name}
        maxLength={limits.savedFilterNameCharactersMax}
      />
      <Button type="submit" disabled={isPending}>
        Rename
      </Button>
      {isSet && (
        <Button
          disabled={isPending}
          onClick={() => change.mutate({ query }, { onSuccess: done(`“${name}” replaced.`) })}
        >
          Replace with these filters
        </Button>
      )}
      <Button
        look="danger"
        disabled={isPending}
        onClick={() => remove.mutate(undefined, { onSuccess: done(`“${name}” deleted.`) })}
      >
        Delete
      </Button>
      <ActionFailure error={change.error ?? remove.error} what="Nothing was changed." />
    </form>
  );
}
