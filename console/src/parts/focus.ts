/** Gives the focus to what has just appeared, such as the heading of a form. */
export const focus = (element: HTMLElement | null) => element?.focus();
