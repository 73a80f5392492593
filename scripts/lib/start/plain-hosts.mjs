// The names of PLAIN_HTTP_HOSTS. The service refuses a wrong one with each answer, so a start looks at them first. What is on the
// public internet stands in src/base/host.rs, with its sources.
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { Failure } from "../base/command.mjs";

/** How many names the service takes. */
const most = 20;

export const privateEndings = [
  "arpa",
  "corp",
  "home",
  "internal",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "private",
];

export const specialAddresses = {
  ipv4: [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
  ],
  ipv6: ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
};

const listOf = (subnets, family) => {
  const list = new BlockList();
  for (const [address, length] of subnets.map((subnet) => subnet.split("/")))
    list.addSubnet(address, Number(length), family);
  return list;
};
const special = { ipv4: listOf(specialAddresses.ipv4, "ipv4"), ipv6: listOf(specialAddresses.ipv6, "ipv6") };
const globalV6 = listOf(["2000::/3"], "ipv6");

const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** The address in brackets, or "". */
const inBrackets = (name) => /^\[(.*)\]$/.exec(name)?.[1] ?? "";

/** Whether the service reads it as a host: one whose last label begins with a digit is an IPv4 address. */
function isHost(name) {
  const labels = name.split(".");
  const isName = name.length <= 253 && labels.every((one) => label.test(one)) && !/^\d/.test(labels.at(-1));
  return isName || isIPv4(name) || isIPv6(inBrackets(name));
}

function isPublic(name) {
  if (isIPv4(name)) return !special.ipv4.check(name, "ipv4");
  const address = inBrackets(name);
  if (address) return globalV6.check(address, "ipv6") && !special.ipv6.check(address, "ipv6");
  return name.includes(".") && !privateEndings.includes(name.split(".").at(-1).toLowerCase());
}

/** The text of PLAIN_HTTP_HOSTS, if the service takes it. */
export function plainHosts(text) {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  const wrong = names.find((name) => !isHost(name));
  if (wrong)
    throw new Failure(
      `PLAIN_HTTP_HOSTS must be names or IP addresses between commas, without scheme and port: "${wrong}" is none`,
    );
  const exposed = names.find(isPublic);
  if (exposed)
    throw new Failure(
      `PLAIN_HTTP_HOSTS must not have "${exposed}", which is on the public internet: others would read the keys on their way. ` +
        "Name a host of your own network, like peyk or 10.0.0.5",
    );
  if (names.length > most) throw new Failure(`PLAIN_HTTP_HOSTS must have at most ${most} names, not ${names.length}`);
  return text;
}
