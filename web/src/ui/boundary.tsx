import { Component, type ComponentType, type ReactNode } from 'react';

/** Props of the fallback for a part of a page that cannot be shown. */
export interface Broken {
  /** The thrown value: a LoadFailure of loading.tsx, or a fault of the code. */
  readonly error: unknown;
  /** Renders the part again, from its first state. */
  readonly retry: () => void;
}

interface BoundaryProps {
  /** Address of the children's content; a change renders them again. */
  readonly at?: string;
  readonly fallback: ComponentType<Broken>;
  /** Called before another try; discards outside data at which the children may have failed. */
  readonly onRetry?: (() => void) | undefined;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly at: string | undefined;
  readonly failed?: { readonly error: unknown } | undefined;
}

/**
 * Shows the fallback instead of children that throw, so that the rest of the page stays. The
 * browser's console has the error.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at };

  static getDerivedStateFromError(error: unknown): Pick<BoundaryState, 'failed'> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, failed: undefined };
  }

  private readonly retry = () => {
    this.props.onRetry?.();
    this.setState({ failed: undefined });
  };

  override render(): ReactNode {
    const { fallback: Fallback, children } = this.props;
    const { failed } = this.state;
    return failed ? <Fallback error={failed.error} retry={this.retry} /> : children;
  }
}
