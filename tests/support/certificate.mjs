// A certificate that signs itself, for a server of the tests. It is made anew for each run, so no key stands in the
// repository, and it needs no program beside node.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const day = 24 * 60 * 60 * 1_000;

/** A value of DER: its tag, its length and its octets. */
function der(tag, ...contents) {
  const octets = Buffer.concat(contents.map((content) => Buffer.from(content)));
  const { length } = octets;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), octets]);
}

const sequence = (...items) => der(0x30, ...items);
const octetString = (octets) => der(0x04, octets);
const bitString = (octets) => der(0x03, [0], octets);
const oid = (hex) => der(0x06, Buffer.from(hex, "hex"));
const time = (ms) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, "")
        .slice(2)}`,
    ),
  );

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const commonName = oid("550403");
const subjectKeyIdentifier = oid("551d0e");
const keyUsage = oid("551d0f");
const subjectAltName = oid("551d11");
const basicConstraints = oid("551d13");
const yes = der(0x01, [0xff]);

/** Digital signatures, and the signing of certificates. */
const usages = der(0x03, [2, 0x84]);

/** What a strict program (Python 3.13) asks of a certificate that it shall trust as an authority. */
const extensionsOfAuthority = () => [
  sequence(keyUsage, yes, octetString(usages)),
  sequence(subjectKeyIdentifier, octetString(octetString(randomBytes(20)))),
];

/** Returns `{key, cert}`, both PEM, for `hosts` and 127.0.0.1. Only one that is an authority can be trusted. */
export function selfSigned({ isAuthority, hosts = ["localhost"] }) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("A test server")))));
  const names = sequence(...hosts.map((host) => der(0x82, Buffer.from(host))), der(0x87, [127, 0, 0, 1]));
  const constraints = octetString(sequence(...(isAuthority ? [yes] : [])));
  const extensions = sequence(
    sequence(basicConstraints, yes, constraints),
    sequence(subjectAltName, octetString(names)),
    ...(isAuthority ? extensionsOfAuthority() : []),
  );
  const content = sequence(
    der(0xa0, der(0x02, [2])),
    // The first octet is fixed: DER refuses a needless zero there.
    der(0x02, [0x40], randomBytes(7)),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + 365 * day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const certificate = sequence(content, ecdsaWithSha256, bitString(sign("sha256", content, privateKey)));
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }), cert: pem(certificate) };
}

function pem(octets) {
  const lines = octets.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`;
}
