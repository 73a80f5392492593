const shapes = {
  overview: "M4 13h6V4H4zm0 7h6v-4H4zm10 0h6v-9h-6zm0-16v4h6V4z",
  compose: "M4 17.2V20h2.8L17 9.8 14.2 7zM19.2 7.6a1 1 0 0 0 0-1.4L17.8 4.800a1 1 0 0 0-1.400 0L15.200 6 18 8.800z",
  messages: "M4 5h16v11H10l-4 4v-4H4zm3 3v2h10V8zm0 4v2h7v-2z",
  campaigns: "M4 9v6h3l2 5h3l-2-5 9 4V5l-9 4zm2 2h4.500l6.500-2.900v7.800L10.500 13H6z",
  phonebooks:
    "M6 3h13v18H6v-3H4v-2h2v-3H4v-2h2V8H4V6h2zm6.500 4a2.200 2.200 0 1 0 0 4.400 2.200 2.200 0 0 0 0-4.400M8.500 16h8c0-2.200-1.800-3.400-4-3.400s-4 1.200-4 3.400",
  wallet: "M4 6h14v2h2v11H4zm2 4v7h12v-7zm8 2h3v3h-3z",
  keys: "M8 8a5 5 0 1 0 4.600 7H15v3h3v-3h3v-4h-8.400A5 5 0 0 0 8 8m0 3.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3",
  patterns: "M5 3h14v18H5zm3 4v2h8V7zm0 4v2h3v-2zm5 0v2h3v-2zm-5 4v2h8v-2z",
  inbound: "M4 4h16v16H4zm2 2v8h3l1.500 2h3L15 14h3V6z",
  blacklist:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 2c1.600 0 3 .5 4.200 1.400L6.400 16.200A7 7 0 0 1 12 5m0 14a7 7 0 0 1-4.200-1.400l9.800-9.800A7 7 0 0 1 12 19",
  verify:
    "M12 2 4 5v6c0 5 3.400 9.300 8 11 4.600-1.700 8-6 8-11V5zm-1.200 14L7 12.200l1.400-1.400 2.400 2.400 4.900-4.900 1.400 1.400z",
  erasures: "M9 3h6l1 2h4v2H4V5h4zM6 9h12l-1 12H7z",
  webhooks: "M13 3 5 14h6l-1 7 9-12h-6.500z",
  settings: "M4 7h9v2H4zm13 0h3v2h-3zm-3-2h2v6h-2zM4 15h3v2H4zm7 0h9v2h-9zm-3-2h2v6H8z",
  accounts:
    "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0 8c4.400 0 8 2 8 4.500V20H4v-1.500C4 16 7.600 14 12 14m0 2c-3 0-5.400 1-5.900 2h11.800c-.5-1-2.900-2-5.900-2",
  members:
    "M9 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8m0 10c4.400 0 8 2 8 4.500V20H1v-1.500C1 16 4.600 14 9 14m7-9.800a4 4 0 0 1 0 7.600zm2 10.200c2.900.700 5 2.200 5 4.100V20h-4v-1.500c0-1.700-.800-3.200-2-4.300z",
  plans: "M4 4h8l8 8-8 8-8-8zm2 2v5.200l6 6 5.200-5.200-6-6zm2.500 1a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3",
  credits: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18m0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14m-1 3h2v3h3v2h-3v3h-2v-3H8v-2h3z",
  usage: "M4 19h16v2H4zm1-8h3v7H5zm5.500-7h3v14h-3zM16 8h3v10h-3z",
  audit:
    "M12 3a9 9 0 1 1-9 9h2a7 7 0 1 0 2-4.900L10 10H3V3l2.600 2.600A9 9 0 0 1 12 3m-1 4h2v4.600l3 1.800-1 1.700-4-2.400z",
  reconciliation:
    "M11 3h2v2h6v2l3 6a3.500 3.500 0 0 1-7 0l3-6h-5v12h4v2H7v-2h4V7H6l3 6a3.500 3.500 0 0 1-7 0l3-6V5h6zM5.500 9.500 4 13h3zm13 0L17 13h3z",
  carriers:
    "M11 12.700a2 2 0 1 1 2 0V21h-2zM7.800 6.800l1.400 1.400a4 4 0 0 0 0 5.600l-1.400 1.400a6 6 0 0 1 0-8.400m8.400 0a6 6 0 0 1 0 8.400l-1.400-1.400a4 4 0 0 0 0-5.600zM5 4l1.400 1.400a8 8 0 0 0 0 11.200L5 18A10 10 0 0 1 5 4m14 0a10 10 0 0 1 0 14l-1.400-1.400a8 8 0 0 0 0-11.200z",
  lines:
    "M5 4a3 3 0 0 1 1 5.800V12h5V9.800a3 3 0 1 1 2 0V12h5V9.800a3 3 0 1 1 2 0V14h-7v3h2v4H9v-4h2v-3H4V9.800A3 3 0 0 1 5 4",
  deadLetters: "M3 5h18v14H3zm2 2v.8l7 4.700 7-4.700V7zm0 3.200V17h14v-6.800l-7 4.700z",
  sending: "M11 3h2v9h-2zM7 5.700l1.300 1.500a6 6 0 1 0 7.400 0L17 5.700A8 8 0 1 1 7 5.700",
  menu: "M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z",
  close:
    "M6.400 5 5 6.400 10.600 12 5 17.600 6.400 19 12 13.400 17.600 19 19 17.600 13.400 12 19 6.400 17.600 5 12 10.600z",
  calendar: "M7 3v2H4v15h16V5h-3V3h-2v2H9V3zM6 10h12v8H6z",
  search:
    "M10.500 4a6.500 6.500 0 0 1 5.200 10.400l4.600 4.600-1.400 1.400-4.600-4.600A6.500 6.500 0 1 1 10.500 4m0 2a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9",
  down: "M6 9l6 6 6-6z",
  earlier: "M15 6l-6 6 6 6z",
  later: "M9 6l6 6-6 6z",
};

export type IconName = keyof typeof shapes;

/** A picture beside words, or in the place of words that only a screen reader has. */
export function Icon({ name, isTurned = false }: { name: IconName; isTurned?: boolean }) {
  return (
    <svg className={isTurned ? "icon turned" : "icon"} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
