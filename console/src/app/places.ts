import type { ComponentType } from "react";

// biome-ignore lint/suspicious/noExplicitAny: a page has the parameters that its own address names.
type Page = ComponentType<any>;
export type Place = { address: RegExp; Component: Page };
export type FoundPage = { Component: Page; params: Record<string, string> };

/** The page at a path, with what the path names. */
export function pageAt(places: Place[], path: string): FoundPage | null {
  for (const { address, Component } of places) {
    const match = address.exec(path);
    if (match) return { Component, params: { ...match.groups } };
  }
  return null;
}
