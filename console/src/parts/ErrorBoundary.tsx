import { Component, type ReactNode } from "react";
import { Failure } from "./Failure.tsx";

/**
 * In the place of a page that could not be shown: its file may be gone, because a newer version was deployed. To try again is
 * to load the newest version.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error ? <Failure error={error} onAgain={() => location.reload()} /> : this.props.children;
  }
}
