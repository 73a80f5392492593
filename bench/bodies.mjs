const variety = 64;

/** Different bodies of a send, each with so many different Iranian mobiles. */
export function bodies(recipients) {
  let number = 0;
  const nextNumber = () => {
    // The sandbox gives numbers ending in 901 to 905 an ending of their own.
    do number += 1;
    while (number % 1000 >= 901 && number % 1000 <= 905);
    return `0912${String(number).padStart(7, "0")}`;
  };
  return Array.from({ length: variety }, (_, i) =>
    JSON.stringify({
      message: `bench ${i}`,
      recipients: Array.from({ length: recipients }, nextNumber),
      sourceNumber: "10001",
    }),
  );
}
