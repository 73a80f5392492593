// An SMSC for tests, the demo and the benchmark. The npm package `smpp`, which shares no code with the service, reads and
// writes the PDUs. The SMSC keeps its own record of what it was sent, and does what its rules say.
import smpp from "smpp";
import { Queue } from "./queue.mjs";
import { receiptFields } from "./receipts.mjs";
import { Record } from "./record.mjs";
import { Rules } from "./rules.mjs";
import { decodeText, encodeParts, readPart } from "./texts.mjs";

// The package would decode texts and times by itself. The SMSC wants the octets.
for (const command of ["submit_sm", "deliver_sm"])
  for (const name of ["short_message", "validity_period", "schedule_delivery_time"])
    delete smpp.commands[command].params[name]?.filter;
delete smpp.tlvs.message_payload.filter;
// Some SMSCs write `sar_msg_ref_num` with one octet.
smpp.tlvs.sar_msg_ref_octet = { id: smpp.tlvs.sar_msg_ref_num.id, type: smpp.tlvs.sar_total_segments.type };

const defaults = {
  host: "127.0.0.1",
  port: 0,
  systemId: "peyk",
  password: "secret",
  /** The form of ids in answers, and in receipts unless `receiptIds` is set: "decimal", "hex", "smallHex" or "zeros" (ten digits). */
  ids: "decimal",
  receiptIds: undefined,
  firstId: 1,
  /** Each connection counts its ids for itself, as if it led to another node. So ids come again, also after a new bind. */
  countsByConnection: false,
  /**
   * See `receiptFields` for how they are written. `when` is "after" or "before" the answer. `parts` says which parts of a long
   * message have one: "all", the "first" or the "last".
   */
  receipts: { state: "DELIVRD", where: "both", when: "after", delayMs: 0, times: 1, parts: "all" },
  /** The session that has brought a message gets its receipt, while it stands. Else any session does, as at most SMSCs. */
  receiptsToSender: false,
  rules: [],
  /** `{status, times}` refuses binds, `{silent: true, times}` does not answer them. */
  binds: null,
  /** Does not answer enquire_link. */
  silentLinks: false,
  /** `{key, cert}`: the connections are encrypted. */
  tls: undefined,
  /** Writes each octet on its own, a millisecond apart. */
  trickles: false,
  /** How many receipts and inbound messages wait for an answer at a time on a session. */
  deliverWindow: 50,
  /** The file of the record; see record.mjs. */
  record: undefined,
  /** Is told what happens, in this process only: "bind", "gone", "submit", "message", "acknowledged" or "refused". */
  watch: () => {},
};

const forms = {
  decimal: (number) => String(number),
  hex: (number) => number.toString(16).toUpperCase(),
  smallHex: (number) => number.toString(16),
  zeros: (number) => String(number).padStart(10, "0"),
};

const bindCommands = ["bind_transceiver", "bind_transmitter", "bind_receiver"];

/** Starts an SMSC in this process. All its methods may be called over a process's border too; see smsc-process.mjs. */
export async function startSmsc(options = {}) {
  const smsc = new Smsc(options);
  await smsc.listen();
  return smsc;
}

class Smsc {
  #options;
  #rules;
  #record;
  #server;
  #links = new Set();
  #held = [];
  #deliveries = new Queue();
  #nextId;
  #stopped = false;
  #stats = {
    connections: 0,
    binds: 0,
    bindsRefused: 0,
    unbinds: 0,
    enquiries: 0,
    mostUnanswered: 0,
    nacks: 0,
    handshakesFailed: 0,
  };
  #told = { sent: 0, acknowledged: 0, refused: 0 };
  #reported = new Set();
  /** Receipts and inbound messages that nobody has acknowledged yet, those of a later time included. */
  #owed = 0;
  #errors = [];

  constructor(options) {
    this.set({ ...defaults, ...options });
    this.#record = Record.open(this.#options.record);
    this.#nextId = this.#options.firstId + this.#record.submits.length;
  }

  listen() {
    this.#server = smpp.createServer(this.#options.tls ?? {}, (session) => this.#connected(session));
    // A client that does not trust the certificate, or that speaks no TLS.
    this.#server.on("tlsClientError", () => (this.#stats.handshakesFailed += 1));
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, this.#options.host, resolve);
    });
  }

  get port() {
    return this.#server.address().port;
  }

  /** Changes settings. New rules count anew. */
  set(changes) {
    this.#options = { ...this.#options, ...changes };
    if (changes.rules) this.#rules = new Rules(changes.rules);
  }

  /** Every submit to a number that matches, in order, also the refused ones. */
  submits(to = "") {
    const pattern = new RegExp(to);
    return this.#record.submits.filter((submit) => pattern.test(submit.to));
  }

  counts() {
    return this.#record.counts;
  }

  /** The numbers of which a submit was reported, by this process. */
  reported() {
    return [...this.#reported];
  }

  /** The messages that arrived whole. */
  messages() {
    return this.#record.messages;
  }

  stats() {
    const { submits, messages, faults, unfinished } = this.#record;
    return {
      ...this.#stats,
      submits: submits.length,
      taken: submits.filter(({ status }) => status === 0).length,
      messages: messages.length,
      faults,
      unfinished,
      held: this.#held.length,
      bound: [...this.#links].filter(({ bound }) => bound).length,
      used: [...this.#links].filter(({ submits }) => submits > 0).length,
      deliveries: { ...this.#told, waiting: this.#deliveries.length },
      owed: this.#owed,
      errors: this.#errors,
    };
  }

  /** Answers the held submits: "forward" in their order, or "reversed". */
  release(order = "forward") {
    const held = this.#held.splice(0);
    for (const answer of order === "reversed" ? held.reverse() : held) answer();
    return held.length;
  }

  /** Reports on the submit with the number `n`, or on any `id`; `n` is what `submits()` tells. */
  receipt({ n, ...changes }) {
    const submit = this.#record.submits.find((other) => other.n === n);
    this.#deliver(receiptFields({ ...(submit && this.#reportOn(submit)), ...changes }));
  }

  /** Reports on everything that was taken, in order. */
  reportAll(changes = {}) {
    for (const submit of this.#record.submits)
      if (submit.status === 0) this.#deliver(receiptFields({ ...this.#reportOn(submit), ...changes }));
  }

  /** A message from a phone. A long one travels in parts with headers. */
  inbound({ from, to, text, reference = 1 }) {
    const { dataCoding, pieces } = encodeParts(text, reference);
    for (const piece of pieces)
      this.#deliver({
        source_addr_ton: 1,
        source_addr_npi: 1,
        source_addr: from,
        destination_addr: to,
        esm_class: pieces.length > 1 ? 0x40 : 0,
        data_coding: dataCoding,
        short_message: piece,
      });
  }

  /** Sends any `deliver_sm`, with `short_message` in hexadecimal digits. */
  deliver(fields) {
    this.#deliver({ ...fields, short_message: Buffer.from(fields.short_message ?? "", "hex") });
  }

  /** Writes these octets (hexadecimal digits) to every connection, whether they make PDUs or not. */
  raw(hex) {
    for (const { session } of this.#links) session.socket.write(Buffer.from(hex, "hex"));
  }

  enquire() {
    for (const { session } of this.#links) session.enquire_link();
  }

  /** Ends the sessions in order. */
  unbind() {
    for (const link of this.#links) if (link.bound) link.session.unbind({}, () => link.session.close());
  }

  /** Drops the session that has brought the most submits. */
  closeBusiest() {
    const [busiest] = [...this.#links].toSorted((one, other) => other.submits - one.submits);
    busiest?.session.destroy();
    return busiest?.submits ?? 0;
  }

  /** Drops every connection. It listens on. */
  close() {
    for (const { session } of this.#links) session.destroy();
  }

  async stop() {
    this.#stopped = true;
    this.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connected(session) {
    const link = {
      session,
      bound: false,
      receives: false,
      unanswered: 0,
      submits: 0,
      delivering: new Set(),
      own: new Queue(),
    };
    this.#links.add(link);
    this.#stats.connections += 1;
    session.socket.setNoDelay(true);
    if (this.#options.trickles) trickle(session.socket);
    session.on("pdu", (pdu) => this.#read(link, pdu));
    session.on("error", (error) => this.#failed(link, error));
    session.on("close", () => this.#ended(link));
  }

  #failed(link, error) {
    // A peer that is killed resets its connections.
    if (!["ECONNRESET", "EPIPE"].includes(error.code)) this.#errors.push(error.message);
    link.session.destroy();
  }

  #ended(link) {
    this.#links.delete(link);
    if (link.bound) this.#options.watch("gone");
    link.bound = false;
    // What nobody has acknowledged is told again, as SMSCs do.
    this.#deliveries.unshift([...link.delivering]);
    while (link.own.length > 0) this.#deliveries.push(link.own.shift());
    link.delivering.clear();
    this.#tell();
  }

  #read(link, pdu) {
    const { session } = link;
    if (bindCommands.includes(pdu.command)) return this.#bind(link, pdu);
    if (pdu.command === "generic_nack") this.#stats.nacks += 1;
    if (pdu.isResponse()) return;
    if (pdu.command === "enquire_link") {
      this.#stats.enquiries += 1;
      if (!this.#options.silentLinks) session.send(pdu.response());
      return;
    }
    if (pdu.command === "unbind") {
      this.#stats.unbinds += 1;
      link.bound = false;
      this.#options.watch("gone");
      return session.send(pdu.response(), () => session.close());
    }
    if (pdu.command === "submit_sm") return this.#submitted(link, pdu);
    session.send(pdu.response({ command_status: smpp.ESME_RINVCMDID }));
  }

  #bind(link, pdu) {
    const { binds, systemId, password } = this.#options;
    const refused = binds && (binds.times === undefined || binds.times-- > 0);
    if (refused && binds.silent) return;
    const status = refused
      ? smpp[binds.status]
      : pdu.system_id !== systemId
        ? smpp.ESME_RINVSYSID
        : pdu.password !== password
          ? smpp.ESME_RINVPASWD
          : smpp.ESME_ROK;
    if (status !== smpp.ESME_ROK) {
      this.#stats.bindsRefused += 1;
      return link.session.send(pdu.response({ command_status: status }), () => link.session.close());
    }
    this.#stats.binds += 1;
    link.bound = true;
    link.receives = pdu.command !== "bind_transmitter";
    this.#options.watch("bind", { command: pdu.command, systemId: pdu.system_id });
    link.session.send(pdu.response({ system_id: "smsc", sc_interface_version: 0x34 }));
    this.#tell();
  }

  #submitted(link, pdu) {
    if (!link.bound) return link.session.send(pdu.response({ command_status: smpp.ESME_RINVBNDSTS }));
    link.unanswered += 1;
    link.submits += 1;
    this.#stats.mostUnanswered = Math.max(this.#stats.mostUnanswered, link.unanswered);
    const rule = this.#rules.match(pdu.destination_addr);
    const submit = this.#noted(link, pdu, rule.status ? smpp[rule.status] : smpp.ESME_ROK);
    const receipts = submit.status === 0 && (pdu.registered_delivery & 3) !== 0 && this.#receiptsOf(rule, submit);
    const isEarly = receipts && receipts.when === "before";
    if (isEarly) this.#report(submit, receipts, link);
    this.#answer(rule, (isDropped) => {
      const about = submit.status ? { command_status: submit.status } : { message_id: submit.id };
      if (!isDropped) {
        link.unanswered -= 1;
        link.session.send(pdu.response(about));
      }
      if (receipts && !isEarly) this.#report(submit, receipts, link);
    });
    this.#afterwards(rule.next, link);
  }

  #receiptsOf(rule, submit) {
    const usual = this.#options.receipts;
    if ((rule.receipts === undefined ? usual : rule.receipts) === null) return null;
    const receipts = { ...defaults.receipts, ...usual, ...rule.receipts };
    return isReported(submit.part, receipts.parts) && receipts;
  }

  #answer({ answer: how, delayMs }, answer) {
    if (how === "hold") this.#held.push(() => answer(false));
    else if (delayMs) setTimeout(() => answer(false), delayMs);
    else answer(how === "drop");
  }

  #afterwards(what, link) {
    if (what === "close") link.session.destroy();
    if (what === "unbind") link.session.unbind({}, () => link.session.close());
    if (what === "die") process.kill(process.pid, "SIGKILL");
  }

  /** Notes a submit before anything is answered. */
  #noted(link, pdu, status) {
    const n = this.#nextId;
    this.#nextId += 1;
    const count = this.#options.countsByConnection ? this.#options.firstId + link.submits - 1 : n;
    const submit = {
      n,
      count,
      id: forms[this.#options.ids](count),
      status,
      from: pdu.source_addr,
      to: pdu.destination_addr,
      sourceTon: pdu.source_addr_ton,
      sourceNpi: pdu.source_addr_npi,
      destTon: pdu.dest_addr_ton,
      destNpi: pdu.dest_addr_npi,
      esmClass: pdu.esm_class,
      dataCoding: pdu.data_coding,
      registeredDelivery: pdu.registered_delivery,
      validityPeriod: pdu.validity_period,
      at: Date.now(),
      // By a clock that all processes of the machine share, and that counts less than milliseconds.
      monotonicMs: Number(process.hrtime.bigint()) / 1e6,
      ...readText(pdu),
    };
    const whole = this.#record.messages.length;
    this.#record.add(submit);
    this.#options.watch("submit", submit);
    for (const message of this.#record.messages.slice(whole)) this.#options.watch("message", message);
    return submit;
  }

  /** What a receipt on a submit says of it. */
  #reportOn({ count, from, to }) {
    const { receiptIds, ids } = this.#options;
    this.#reported.add(to);
    return { id: forms[receiptIds ?? ids](count), from, to };
  }

  #report(submit, { delayMs = 0, times = 1, when, ...how }, link) {
    this.#owed += times;
    const to = this.#options.receiptsToSender ? link : undefined;
    const tell = () => {
      for (let time = 0; time < times; time += 1) this.#queue(receiptFields({ ...this.#reportOn(submit), ...how }), to);
    };
    if (delayMs > 0) setTimeout(tell, delayMs);
    else tell();
  }

  #deliver(fields) {
    this.#owed += 1;
    this.#queue(fields);
  }

  /** `to` is the session that is to have it, while it stands. */
  #queue(fields, to) {
    const queue = to && this.#links.has(to) ? to.own : this.#deliveries;
    queue.push(fields);
    this.#tell();
  }

  /** Sends what waits, to any session that receives, as far as its window goes. */
  #tell() {
    if (this.#stopped) return;
    for (const link of this.#links) {
      if (!link.bound || !link.receives) continue;
      for (const queue of [link.own, this.#deliveries])
        while (queue.length > 0 && link.delivering.size < this.#options.deliverWindow) this.#send(link, queue.shift());
    }
  }

  #send(link, fields) {
    link.delivering.add(fields);
    this.#told.sent += 1;
    link.session.deliver_sm(fields, ({ command_status: status }) => {
      if (!link.delivering.delete(fields)) return;
      this.#options.watch(status === smpp.ESME_ROK ? "acknowledged" : "refused", fields);
      if (status === smpp.ESME_ROK) {
        this.#told.acknowledged += 1;
        this.#owed -= 1;
      } else this.#refused(fields);
      this.#tell();
    });
  }

  /** Who refuses a delivery gets it again a second later. */
  #refused(fields) {
    this.#told.refused += 1;
    setTimeout(() => this.#queue(fields), 1_000).unref();
  }
}

/** Lets a socket write each octet on its own, so that its peer reads frames in pieces that are cut anywhere. */
function trickle(socket) {
  const write = socket.write.bind(socket);
  const waiting = [];
  const next = () => {
    const [octet, done] = waiting[0] ?? [];
    if (octet === undefined || socket.destroyed) return;
    write(Uint8Array.of(octet), () => {
      waiting.shift();
      done?.();
      setTimeout(next, 1);
    });
  };
  socket.write = (octets, done) => {
    const isIdle = waiting.length === 0;
    for (const [at, octet] of octets.entries()) waiting.push([octet, at === octets.length - 1 ? done : undefined]);
    if (isIdle) next();
    return true;
  };
}

/** Whether this part has a receipt, where these parts of a long message have one. */
function isReported(part, which) {
  if (!part || part.total === 1 || which === "all") return true;
  return part.number === (which === "first" ? 1 : part.total);
}

/** The text of a part, or why it can't be read. */
function readText(pdu) {
  try {
    const { octets, ...part } = readPart(pdu);
    return { part: { ...part, text: decodeText(octets, pdu.data_coding) } };
  } catch (error) {
    return { fault: error.message };
  }
}
