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
const ucs2 = 8;

/**
 * Makes the parameters of the `deliver_sm` that reports on a submit. `where` is "text", "tlv" or "both". `error` is the
 * network's code, up to three digits. `field` has the text: "short_message" or "message_payload". `tlvState` is what the parameter
 * `message_state` says, if that is not what the text says.
 */
export function receiptFields({
  id,
  from,
  to,
  state = "DELIVRD",
  error = "000",
  where = "both",
  at = new Date(),
  ...how
}) {
  const {
    field = "short_message",
    esmClass = receiptFlag,
    dataCoding = 0,
    isUcs2 = dataCoding === ucs2,
    tlvState,
  } = how;
  const delivered = state === "DELIVRD" ? "001" : "000";
  const text = `id:${id} sub:001 dlvrd:${delivered} submit date:${minute(at)} done date:${minute(at)} stat:${state} err:${error} text:`;
  const octets = isUcs2 ? Buffer.from(text, "utf16le").swap16() : Buffer.from(text, "latin1");
  return {
    // A receipt goes the other way round: from the phone to the sender.
    source_addr: to,
    destination_addr: from,
    esm_class: esmClass,
    data_coding: dataCoding,
    short_message: Buffer.alloc(0),
    ...(where !== "tlv" && { [field]: octets }),
    ...(where !== "text" && tlvs(id, tlvState ?? states[state], error)),
  };
}

/** How SMSCs write receipts beside the usual forms, each by what is unusual. */
export const unusualForms = {
  "in UCS-2": { where: "text", dataCoding: ucs2 },
  "in UCS-2, in message_payload": { where: "text", dataCoding: ucs2, field: "message_payload" },
  "in UCS-2, in message_payload, with parameters": { where: "both", dataCoding: ucs2, field: "message_payload" },
  "in ASCII, as if it were UCS-2": { where: "text", dataCoding: ucs2, isUcs2: false },
  "in message_payload": { where: "text", field: "message_payload" },
  "with esm_class 0": { where: "text", esmClass: 0 },
  "with esm_class 0, in UCS-2": { where: "text", esmClass: 0, dataCoding: ucs2 },
  "with esm_class 0, in message_payload": { where: "text", esmClass: 0, field: "message_payload" },
  "with esm_class 0 and parameters alone": { where: "tlv", esmClass: 0 },
  "with a parameter that says that it is on its way": { where: "both", tlvState: states.ENROUTE },
  "with a parameter that says that it is accepted": { where: "both", tlvState: states.ACCEPTD },
  "with a parameter that says nothing": { where: "both", tlvState: 0 },
  "with a parameter that nobody knows": { where: "both", tlvState: 0x32 },
};

function tlvs(id, state, error) {
  const network = Buffer.from([3, 0, 0]);
  network.writeUInt16BE(Number(error), 1);
  return { receipted_message_id: id, message_state: state, network_error_code: network };
}

const minute = (at) => at.toISOString().replaceAll(/[-T:]/g, "").slice(2, 12);
