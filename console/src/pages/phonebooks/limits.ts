/** How many numbers one message to phonebooks goes to at most. */
export const mostRecipients = 10_000;
