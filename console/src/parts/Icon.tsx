const shapes = {
  overview: "M4 13h6V4H4zm0 7h6v-4H4zm10 0h6v-9h-6zm0-16v4h6V4z",
  compose: "M4 17.2V20h2.8L17 9.8 14.2 7zM19.2 7.6a1 1 0 0 0 0-1.4L17.8 4.800a1 1 0 0 0-1.400 0L15.200 6 18 8.800z",
  messages: "M4 5h16v11H10l-4 4v-4H4zm3 3v2h10V8zm0 4v2h7v-2z",
  wallet: "M4 6h14v2h2v11H4zm2 4v7h12v-7zm8 2h3v3h-3z",
  keys: "M8 8a5 5 0 1 0 4.600 7H15v3h3v-3h3v-4h-8.400A5 5 0 0 0 8 8m0 3.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3",
  settings: "M4 7h9v2H4zm13 0h3v2h-3zm-3-2h2v6h-2zM4 15h3v2H4zm7 0h9v2h-9zm-3-2h2v6H8z",
  menu: "M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z",
  close:
    "M6.400 5 5 6.400 10.600 12 5 17.600 6.400 19 12 13.400 17.600 19 19 17.600 13.400 12 19 6.400 17.600 5 12 10.600z",
  calendar: "M7 3v2H4v15h16V5h-3V3h-2v2H9V3zM6 10h12v8H6z",
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
