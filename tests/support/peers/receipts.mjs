// Delivery receipts as SMSCs write them (SMPP 3.4, appendix B and the TLVs of section 5.3.2).

/** The values of `message_state`. */
export const states = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
};

const receiptFlag = 0x04;

/**
 * Makes the parameters of the `deliver_sm` that reports on a submit. `where` is "text", "tlv" or "both". `error` is the
 * network's code, up to three digits.
 */
export function receiptFields({ id, from, to, state = "DELIVRD", error = "000", where = "both", at = new Date() }) {
  const inText = where !== "tlv";
  const delivered = state === "DELIVRD" ? "001" : "000";
  const text = `id:${id} sub:001 dlvrd:${delivered} submit date:${minute(at)} done date:${minute(at)} stat:${state} err:${error} text:`;
  return {
    // A receipt goes the other way round: from the phone to the sender.
    source_addr: to,
    destination_addr: from,
    esm_class: receiptFlag,
    data_coding: 0,
    short_message: Buffer.from(inText ? text : "", "latin1"),
    ...(where === "text" ? {} : tlvs(id, state, error)),
  };
}

function tlvs(id, state, error) {
  const network = Buffer.from([3, 0, 0]);
  network.writeUInt16BE(Number(error), 1);
  return { receipted_message_id: id, message_state: states[state], network_error_code: network };
}

const minute = (at) => at.toISOString().replaceAll(/[-T:]/g, "").slice(2, 12);
