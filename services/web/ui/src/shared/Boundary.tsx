import { Component, type ReactNode } from "react";

import { forgetFailures } from "./parts";

export interface BrokenProps {
  error: unknown;
  again: () => void;
}

interface Props {
  /** Renders what is shown in place of the children when they fail. */
  broken: (props: BrokenProps) => ReactNode;
  /** Another place begins anew: a failure here is none there. */
  place?: string;
  children: ReactNode;
}

interface State {
  failure: { error: unknown } | null;
  place: string | undefined;
}

/** Keeps a failure to where it happened: what is around it stays on screen and goes on working. */
export class Boundary extends Component<Props, State> {
  override state: State = { failure: null, place: this.props.place };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): Partial<State> | null {
    if (place === state.place) return null;
    forgetFailures();
    return { failure: null, place };
  }

  private readonly again = (): void => {
    forgetFailures();
    this.setState({ failure: null });
  };

  override render(): ReactNode {
    const { broken, children } = this.props;
    const { failure } = this.state;
    return failure === null ? children : broken({ error: failure.error, again: this.again });
  }
}
