// How the official libraries of Twilio show an error, and what both show of a record.

/** For each library: the error that its user sees of a call (`record`, like "create") that was refused. */
export const styles = {
  "twilio-python": {
    refusal: ({ class: name, status, code, msg, details }) => ({ name, status, code, text: msg, details }),
    name: "TwilioRestException",
    textOf: (record, message) => `Unable to ${record} record: ${message}`,
  },
  "twilio-node": {
    refusal: ({ class: name, status, code, message, details }) => ({ name, status, code, text: message, details }),
    name: "RestException",
    textOf: (_, message) => message,
  },
};

/** A record of a library with its times in one form. */
export const inOneForm = (record) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      name.startsWith("date") && value !== null ? new Date(value).toISOString() : value,
    ]),
  );
