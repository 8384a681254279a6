package pennytext

import (
	"context"
	"encoding/json"
)

// Iterator reads a list page by page:
//
//	for it.Next(ctx) {
//		use(it.Value())
//	}
//	if err := it.Err(); err != nil {
//		return err
//	}
type Iterator[T any] struct {
	transport *transport
	request   request
	field     string

	items   []json.RawMessage
	value   *T
	isLast  bool
	isStuck bool // The next page is the same page.
	err     error
}

func list[T any](t *transport, r request, field string) *Iterator[T] {
	return &Iterator[T]{transport: t, request: r, field: field}
}

// Next reads the next item, and its page if needed. It returns false at the end of the list and after an error.
func (it *Iterator[T]) Next(ctx context.Context) bool {
	for len(it.items) == 0 && it.err == nil && !it.isLast {
		it.err = it.turn(ctx)
	}
	if len(it.items) == 0 || it.err != nil {
		return false
	}
	it.value = new(T)
	if cause := decode("", it.items[0], it.value); cause != nil {
		it.err = &Error{Code: CodeInvalidAnswer, Detail: "An item of the list is not valid.", cause: cause}
	}
	it.items = it.items[1:]
	return it.err == nil
}

// Value returns the item that Next has read.
func (it *Iterator[T]) Value() *T { return it.value }

// Err returns the error that ended the list, or nil.
func (it *Iterator[T]) Err() error { return it.err }

func (it *Iterator[T]) turn(ctx context.Context) error {
	if it.isStuck {
		return &Error{Code: CodeInvalidAnswer, Detail: "The next page is the same page."}
	}
	page := map[string]json.RawMessage{}
	if err := it.transport.do(ctx, it.request, &page); err != nil {
		return err
	}
	var cursor string
	for name, into := range map[string]any{it.field: &it.items, "next_cursor": &cursor} {
		if raw, ok := page[name]; ok && json.Unmarshal(raw, into) != nil {
			return &Error{Code: CodeInvalidAnswer, Detail: "The field " + name + " of a page is not valid."}
		}
	}
	it.isLast, it.isStuck = cursor == "", cursor != "" && cursor == it.request.cursor
	it.request.cursor = cursor
	return nil
}
