/** While a list is asked for anew, what it had stays. Nothing does not stay: it would say that nothing is found this time, too. */
export const keepFilled = <Page extends { data: unknown[] }>(page: Page | undefined): Page | undefined =>
  page && page.data.length > 0 ? page : undefined;
