# An SMPP client on PyPI's smpplib. It reads a job from its first argument (JSON), binds, submits each message in its parts,
# waits for the answer to each submit and for `receipts` receipts, unbinds, and prints what it has seen as JSON.
import json
import sys

import smpplib.client
import smpplib.consts
import smpplib.gsm


def main(job):
    seen = {"submitted": 0, "answers": [], "receipts": [], "inbound": []}
    client = smpplib.client.Client("127.0.0.1", job["port"], timeout=60, allow_unknown_opt_params=True)

    def answered(pdu):
        # The library calls this for refused submits too.
        if pdu.is_error():
            return
        seen["answers"].append({"sequence": pdu.sequence, "id": (pdu.message_id or b"").decode("ascii")})

    def refused(pdu):
        seen["answers"].append({"sequence": pdu.sequence, "status": pdu.status})

    def received(pdu):
        is_receipt = pdu.esm_class & 0x3C == 0x04
        seen["receipts" if is_receipt else "inbound"].append({
            "from": pdu.source_addr.decode("ascii"),
            "to": pdu.destination_addr.decode("ascii"),
            "text": (pdu.message_payload or pdu.short_message).decode("utf-16-be" if pdu.data_coding == 8 else "latin-1"),
            "id": None if pdu.receipted_message_id is None else pdu.receipted_message_id.rstrip(b"\0").decode("ascii"),
            "state": pdu.message_state,
        })

    client.set_message_sent_handler(answered)
    client.set_error_pdu_handler(refused)
    client.set_message_received_handler(received)
    client.connect()
    client.bind_transceiver(system_id=job["systemId"], password=job["password"])
    for message in job["messages"]:
        submit(client, seen, message)
    while len(seen["answers"]) < seen["submitted"] or len(seen["receipts"]) + len(seen["inbound"]) < job["deliveries"]:
        client.read_once(auto_send_enquire_link=False)
    client.unbind()
    client.disconnect()
    print(json.dumps(seen))


def submit(client, seen, message):
    parts, encoding, esm_class = smpplib.gsm.make_parts(message["text"])
    for part in parts:
        client.send_message(
            source_addr_ton=smpplib.consts.SMPP_TON_ALNUM,
            source_addr=message["from"],
            dest_addr_ton=smpplib.consts.SMPP_TON_INTL,
            dest_addr_npi=smpplib.consts.SMPP_NPI_ISDN,
            destination_addr=message["to"],
            short_message=part,
            data_coding=encoding,
            esm_class=esm_class,
            registered_delivery=True,
        )
        seen["submitted"] += 1


main(json.loads(sys.argv[1]))
