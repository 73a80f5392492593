/** How many numbers one message to phonebooks goes to at most. */
export const mostRecipients = 10_000;

/** Whether a message can go to a phonebook with so many numbers. */
export const canBeSentTo = (count: number) => count > 0 && count <= mostRecipients;
